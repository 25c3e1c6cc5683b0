import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isAlive } from "../../src/handlers/process/harness.cases.ts";
import { endOf, Place, trustedPlace } from "./harness.ts";

test("up --detach outlives its command, tells where it listens, and stop ends it", async (t) => {
  const place = new Place(t);
  const started = await place.swarm("up", "--detach", "--port", "0");
  assert.deepEqual([started.status, started.stderr], [0, ""]);
  const [, port, pid] =
    /^listening on http:\/\/127\.0\.0\.1:(\d+)\nprocess (\d+); stop it/.exec(started.stdout) ?? [];
  t.after(() => void (isAlive(Number(pid)) && process.kill(Number(pid), "SIGKILL")));
  assert.equal((await place.call(Number(port), "GET", "/healthz")).status, 200);
  const again = await place.json<{ pid: number }>("status");
  assert.equal(again.pid, Number(pid));
  const second = await place.swarm("up", "--detach", "--port", "0");
  assert.match(second.stdout, new RegExp(`process ${pid};`));
  const stopped = await place.swarm("stop");
  const next = "agents' calls start none until swarm up\n";
  assert.deepEqual(stopped, { status: 0, stdout: `stopped, it was process ${pid}; ${next}`, stderr: "" });
  assert.equal(isAlive(Number(pid)), false);
  assert.equal((await place.swarm("stop")).stdout, `no daemon was running; ${next}`);
});

test("up --detach that cannot start says why", async (t) => {
  const place = new Place(t);
  const blocker = await place.up();
  const other = new Place(t);
  const { status, stderr } = await other.swarm("up", "--detach", "--port", String(blocker.port));
  assert.equal(status, 75);
  // One cause, as `swarm up` itself says it: that nothing answers then needs no words.
  assert.match(stderr, /^swarm: port \d+ cannot be used: .*; try --port 0 \[SWARM_PORT_TAKEN\]\n$/);
});

test("a daemon with a log file writes its warnings there", async (t) => {
  const place = await trustedPlace(
    t,
    "hooks:\n  - { event: notification, type: command, name: fails, command: exit 3 }\n",
  );
  const log = join(place.home, "own.log");
  const { port, child, ended } = await place.up("--log-file", log);
  const sent = { event: "notification", data: { message: "x" }, cwd: place.project };
  await place.call(port, "POST", "/api/v1/events", sent);
  child.kill("SIGTERM");
  assert.equal((await ended).stderr, "");
  assert.match(readFileSync(log, "utf8"), /^\d{4}-.* warn .*fails/m);
});

test("service install writes a unit systemd can read, once, and uninstall takes it away", async (t) => {
  const place = new Place(t);
  const config = join(place.folder, "config");
  const run = (verb: string) =>
    endOf(
      place.start(process.execPath, [join(import.meta.dirname, "../../bin/swarm"), "service", verb], {
        XDG_CONFIG_HOME: config,
      }),
    );
  const first = await run("install");
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /is written; start it with\n {2}systemctl --user daemon-reload/);
  assert.match((await run("install")).stdout, /is there already/);
  const file = join(config, "systemd/user/swarm-hooks.service");
  const unit = readFileSync(file, "utf8");
  assert.match(unit, new RegExp(`^ExecStart="${process.execPath}" ".*/bin/swarm" "up"$`, "m"));
  assert.ok(unit.includes(`Environment="SWARM_HOME=${place.home}"`));
  const checked = spawnSync("systemd-analyze", ["verify", "--user", file], { encoding: "utf8" });
  if (checked.error === undefined) assert.doesNotMatch(checked.stderr, /swarm-hooks\.service:\d+/);
  assert.match((await run("uninstall")).stdout, /is removed/);
  assert.equal((await run("uninstall")).stdout, "there was no unit\n");
});
