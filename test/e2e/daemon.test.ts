import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gone, Place, trustedPlace, until } from "./harness.ts";

const note = { event: "notification", data: { message: "hi", level: "info" } };
const bash = { event: "tool.before", data: { tool_name: "Bash", tool_input: { command: "ls" } } };

/** A hook that tells its pid and its child's and takes this long. */
const slow = (seconds: number, type = "command") => `hooks:
  - event: tool.before
    type: ${type}
    name: slow
    timeout_s: 120
    command: 'sleep ${seconds} & echo $! > pid; wait; echo rested'
`;

suite("swarm up", () => {
  test("says first where it listens, makes its home, and ends with 0 when it is asked to", async (t) => {
    const place = new Place(t);
    const { child, port, ended, printed } = await place.up();
    assert.equal((await place.call(port, "GET", "/healthz")).body.pid, child.pid);
    assert.equal((await place.call(port, "GET", "/api/v1/hooks")).status, 200);
    assert.equal(printed(), `listening on http://127.0.0.1:${port}\n`);
    for (const name of ["token", "swarm.sock", "swarm.db"])
      assert.equal(statSync(join(place.home, name)).mode & 0o077, 0, name);
    child.kill("SIGTERM");
    const { status, stderr } = await ended;
    assert.deepEqual([status, stderr], [0, ""]);
    assert.ok(!existsSync(join(place.home, "swarm.sock")));
  });

  test("in a home where one runs prints that one's address and ends with 0", async (t) => {
    const place = new Place(t);
    const { port, pid } = await place.up();
    const second = await place.swarm("up", "--port", "0");
    const first = `listening on http://127.0.0.1:${port}\n`;
    assert.deepEqual(second, {
      status: 0,
      stdout: `${first}it was running already, as process ${pid}\n`,
      stderr: "",
    });
    const { stdout } = await place.swarm("up", "--json");
    assert.ok(stdout.startsWith(first), "in every mode");
    assert.equal(JSON.parse(stdout.slice(first.length)).pid, pid);
  });

  test("ten times at once is one daemon, and all tell its address", async (t) => {
    const place = new Place(t);
    const started = await Promise.all(Array.from({ length: 10 }, () => place.up()));
    const ports = new Set(started.map(({ port }) => port));
    assert.equal(ports.size, 1);
    const { body } = await place.call([...ports][0] ?? 0, "GET", "/healthz");
    const daemons = started.filter(({ pid }) => pid === body.pid);
    assert.equal(daemons.length, 1);
    const others = started.filter(({ pid }) => pid !== body.pid);
    const endings = await Promise.all(others.map(({ ended }) => ended));
    assert.deepEqual(
      endings.map(({ status, stderr }) => `${status}${stderr}`),
      Array(9).fill("0"),
    );
  });

  test("on a port that is taken is one line and exit code 75", async (t) => {
    const place = new Place(t);
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    t.after(() => server.close());
    const { port } = server.address() as { port: number };
    const { status, stdout, stderr } = await place.swarm("up", "--port", String(port));
    assert.deepEqual([status, stdout], [75, ""]);
    assert.match(stderr, /^swarm: port \d+ cannot be used: .*; try --port 0 \[SWARM_PORT_TAKEN\]\n$/);
  });

  test("starts where one was killed, over the socket it left", async (t) => {
    const place = new Place(t);
    const first = await place.up();
    const { body } = await place.call(first.port, "POST", "/api/v1/events", note);
    first.child.kill("SIGKILL");
    await first.ended;
    assert.ok(existsSync(join(place.home, "swarm.sock")));
    const second = await place.up();
    const found = await place.call(second.port, "GET", `/api/v1/events/${body.id}`);
    assert.deepEqual([found.status, found.body.id], [200, body.id]);
    assert.equal((await place.json<{ running: boolean }>("status")).running, true, "over the socket");
  });

  test("starts in a folder whose file is broken, for others may be fine", async (t) => {
    const place = new Place(t, "hooks: [");
    const { port } = await place.up();
    const { status, body } = await place.call(port, "POST", "/api/v1/events", note);
    assert.deepEqual([status, body.code], [400, "SWARM_CONFIG_INVALID"]);
    const { config_problem } = await place.json<{ config_problem: string }>("status");
    assert.match(config_problem, /swarm\.yaml:1:/);
  });

  test("whose own configuration is broken does not start, and says where", async (t) => {
    const place = new Place(t);
    await place.swarm("status");
    writeFileSync(join(place.home, "config.yaml"), "audit: { durability: never }\n");
    const { status, stdout, stderr } = await place.swarm("up", "--port", "0");
    assert.deepEqual([status, stdout], [65, ""]);
    assert.match(stderr, /^swarm: .*config\.yaml:1:.* \[SWARM_CONFIG_INVALID\]\n$/);
  });

  test("goes on when nobody reads what it prints, and when its reader is gone", async (t) => {
    const place = new Place(t);
    const { child, port, ended } = await place.up("--json");
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let n = 0; n < 20; n++)
      assert.equal((await place.call(port, "POST", "/api/v1/events", note)).status, 200);
    child.kill("SIGTERM");
    assert.equal((await ended).status, 0);
  });
});

suite("SIGTERM", { concurrency: true }, () => {
  test("lets a hook under way end: its caller gets the answer", async (t) => {
    const place = await trustedPlace(t, slow(1));
    const { child, port, ended } = await place.up();
    const answer = place.call(port, "POST", "/api/v1/events", { ...bash, cwd: place.project });
    const pid = Number(await place.written("pid"));
    child.kill("SIGTERM");
    const { status, body } = await answer;
    assert.equal(status, 200);
    assert.deepEqual((body.decision as { context: string[] }).context, ["rested"]);
    assert.equal((await ended).status, 0);
    await gone(pid);
    assert.ok(!existsSync(join(place.home, "swarm.sock")));
    const [row] = (await place.json<{ items: { id: string }[] }>("audit", "log")).items;
    assert.equal(row?.id, body.id, "what was answered is recorded");
  });

  test("cuts off hooks that would take too long: callers are told, no program is left, and the exit code is 0", async (t) => {
    const config = `${slow(600)}  - { event: tool.after, type: script, name: watcher, timeout_s: 600, command: 'sleep 600 & echo $! > watcher; wait' }\n`;
    const place = await trustedPlace(t, config);
    const { child, port, ended } = await place.up();
    const from = { cwd: place.project };
    const after = { event: "tool.after", data: { ...bash.data, tool_output: {} }, ...from };
    assert.equal((await place.call(port, "POST", "/api/v1/events", after)).status, 200);
    const answer = place.call(port, "POST", "/api/v1/events", { ...bash, ...from });
    const pids = [Number(await place.written("pid")), Number(await place.written("watcher"))];
    child.kill("SIGTERM");
    const { status, type, body } = await answer;
    assert.deepEqual([status, type, body.code], [503, "application/problem+json", "SWARM_NOT_SERVING"]);
    assert.equal((await ended).status, 0);
    for (const pid of pids) await gone(pid);
    const { items } = await place.json<{ items: { event: string; outcome: string }[] }>("audit", "log");
    assert.deepEqual(
      items.filter(({ event }) => event === "tool.before").map(({ outcome }) => outcome),
      ["failed"],
    );
    assert.equal((await place.json<{ is_intact: boolean }>("audit", "verify")).is_intact, true);
  });

  test("a second signal ends it at once, and asks its programs to end", async (t) => {
    const place = await trustedPlace(t, slow(600));
    const { child, port, ended, printed } = await place.up();
    const answer = place.call(port, "POST", "/api/v1/events", { ...bash, cwd: place.project });
    const refused = assert.rejects(answer, { code: "ECONNRESET" });
    const pid = Number(await place.written("pid"));
    child.kill("SIGINT");
    await until(() => printed().includes("stopping: waiting for what is under way\n"));
    child.kill("SIGINT");
    assert.equal((await ended).status, 130);
    await refused;
    await gone(pid);
  });

  test("while another is started has that one wait its turn", async (t) => {
    const place = await trustedPlace(t, slow(1));
    const first = await place.up();
    const answer = place.call(first.port, "POST", "/api/v1/events", { ...bash, cwd: place.project });
    await place.written("pid");
    first.child.kill("SIGTERM");
    await until(() => first.printed().includes("stopping"));
    const second = await place.up();
    assert.equal((await answer).status, 200);
    assert.equal((await first.ended).status, 0);
    assert.equal((await place.call(second.port, "GET", "/healthz")).body.pid, second.pid);
  });
});
