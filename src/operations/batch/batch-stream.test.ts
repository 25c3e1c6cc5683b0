import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import { slowUntil } from "./harness.cases.ts";
import { startDaemon } from "../../daemon/server/daemon.ts";
import { ask, startedDaemon } from "../../daemon/server/harness.cases.ts";

type Started = Awaited<ReturnType<typeof startedDaemon>>;

interface Message {
  readonly progress?: {
    readonly state: string;
    readonly done_count: number;
    readonly checkpoint: number | null;
  };
  readonly gap?: { readonly after: number; readonly before: number };
}

const line = (at: number) => `{"record_id":"r${at}"}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at)).join("");

function headersOf({ port, token }: Started, more: object = {}) {
  return { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, ...more };
}

async function submit(started: Started, runId: string, body: string, query = "?processor=echo") {
  const { port } = started;
  const path = `/api/v1/batch/${runId}${query}`;
  const answer = await ask({ port, method: "POST", path, headers: headersOf(started), body });
  return { status: answer.status, body: JSON.parse(answer.text) as { code?: string; state?: string } };
}

function listen(t: TestContext, { port }: Started, runId: string, headers: object, rest = "") {
  const address = `ws://127.0.0.1:${port}/api/v1/batch/${runId}/stream${rest}`;
  const socket = new WebSocket(address, { headers: headers as Record<string, string> });
  t.after(() => socket.terminate());
  const messages: Message[] = [];
  socket.on("message", (text) => void messages.push(JSON.parse(String(text)) as Message));
  return { socket, messages };
}

test("a listener hears of checkpoints until the run is over, and of one that is over how it ended", async (t) => {
  const started = await startedDaemon(t);
  await submit(started, "r1", lines(100_000));
  const { socket, messages } = listen(t, started, "r1", headersOf(started));
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  assert.deepEqual([code, String(reason)], [1000, "completed"]);
  const last = messages.at(-1)?.progress;
  assert.deepEqual([last?.state, last?.done_count], ["completed", 100_000]);
  const counts = messages.flatMap(({ progress }) => progress?.done_count ?? []);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
  const late = listen(t, started, "r1", headersOf(started));
  await once(late.socket, "close");
  assert.deepEqual(
    late.messages.map(({ progress }) => progress?.state),
    ["completed"],
  );
});

test("nobody listens without a token, from another page, or to a run that is not there", async (t) => {
  const started = await startedDaemon(t);
  await submit(started, "r1", lines(1));
  const good = headersOf(started);
  for (const [runId, headers, rest, status] of [
    ["r1", { ...good, authorization: "Bearer wrong" }, "", 401],
    ["r1", { ...good, origin: "http://evil.example" }, "", 403],
    ["r1", { ...good, host: "evil.example" }, "", 403],
    ["none", good, "", 404],
    ["r1", good, "?after=1", 400],
    ["a%2fb", good, "", 404],
  ] as const) {
    const { socket } = listen(t, started, runId, headers, rest);
    socket.on("error", () => undefined);
    const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
    assert.equal(response.statusCode, status, `${runId} ${rest}`);
    response satisfies unknown;
    socket.terminate();
  }
});

suite("records that are sent", () => {
  test("may be more than the body of any other operation", async (t) => {
    const started = await startedDaemon(t);
    const { port, home } = started;
    const headers = headersOf(started, { "transfer-encoding": "chunked" });
    const path = "/api/v1/batch/r1?processor=echo";
    const call = request({ port, method: "POST", path, headers, agent: false });
    const answered = once(call, "response");
    const block = lines(2_000).padEnd(1 << 20, "\n");
    for (let mebibyte = 0; mebibyte < 24; mebibyte++) if (!call.write(block)) await once(call, "drain");
    call.end();
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 200);
    assert.ok(existsSync(join(home, "batch/r1/input.jsonl")));
  });

  test("and break off leave nothing behind, and are no fault of ours", async (t) => {
    const started = await startedDaemon(t);
    const { port, home, daemon, warnings } = started;
    const headers = headersOf(started, { "content-length": "1000" });
    const call = request({ port, method: "POST", path: "/api/v1/batch/r1?processor=echo", headers });
    call.on("error", () => undefined);
    call.write(lines(3));
    const incoming = join(home, "batch/.incoming");
    while (!existsSync(incoming) || readdirSync(incoming).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 2));
    call.destroy();
    while (readdirSync(incoming).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(await daemon.runtime.store.batch.find("r1"), null);
    assert.deepEqual(readdirSync(join(home, "batch")), [".incoming"]);
    assert.deepEqual(warnings, []);
  });

  test("beside a file that is named are refused", async (t) => {
    const started = await startedDaemon(t);
    const input = join(started.cwd, "records");
    writeFileSync(input, lines(1));
    const query = `?${new URLSearchParams({ processor: "echo", input })}`;
    const { status, body } = await submit(started, "r1", lines(1), query);
    assert.deepEqual([status, body.code], [400, "SWARM_OPTION_INVALID"]);
    assert.equal((await submit(started, "r1", "", query)).status, 200);
  });

  test("are refused before they have come when their id is taken", async (t) => {
    const started = await startedDaemon(t);
    await submit(started, "r1", lines(1));
    const { status, body } = await submit(started, "r1", lines(100_000));
    assert.deepEqual([status, body.code], [409, "SWARM_BATCH_RUN_TAKEN"]);
  });
});

test("an operator may have records echoed that it sends, and nothing that runs code or names a file of the user's", async (t) => {
  const started = await startedDaemon(t);
  const { port, home, cwd } = started;
  const made = await ask({
    port,
    method: "POST",
    path: "/api/v1/tokens",
    headers: headersOf(started),
    body: JSON.stringify({ name: "op", role: "operator" }),
  });
  const operator = { ...started, token: (JSON.parse(made.text) as { token: string }).token };
  assert.equal((await submit(operator, "r1", lines(2))).status, 200);
  writeFileSync(join(cwd, "records"), lines(2));
  for (const query of [
    { processor: "custom", config: '{"function":"a:b"}' },
    { processor: "echo", input: join(cwd, "records") },
    { processor: "echo", input: join(home, "token") },
    { processor: "echo", input: join(home, "batch/../token") },
    { processor: "echo", output: join(cwd, "out") },
  ]) {
    const written = new URLSearchParams(query as Record<string, string>);
    const { status, body } = await submit(operator, "r2", "", `?${written}`);
    assert.deepEqual([status, body.code], [403, "SWARM_ROLE_REFUSED"], JSON.stringify(query));
  }
  const path = "/api/v1/batch/r1?purge=true";
  assert.equal((await ask({ port, method: "DELETE", path, headers: headersOf(operator) })).status, 403);
});

test("a daemon that stops has its runs stop at a checkpoint, to be taken up by the next", async (t) => {
  const started = await startedDaemon(t);
  const { home, cwd } = started;
  const { processor, config } = slowUntil(join(home, "seen"));
  const query = new URLSearchParams({ processor, config: JSON.stringify(config), chunk_records: "5" });
  assert.equal((await submit(started, "r1", lines(1_000), `?${query}`)).status, 200);
  await started.daemon.stop();
  writeFileSync(join(home, "seen"), "");
  const log = { warn: () => undefined };
  const next = (await startDaemon({ home, cwd, env: process.env, log, port: 0 })) ?? assert.fail();
  started.closing(() => next.stop());
  const runs = await next.runtime.batch.open();
  assert.equal((await runs.find("r1")).state, "interrupted");
  await runs.resume("r1", "human:ann");
  while ((await runs.find("r1")).state === "running") await new Promise((resolve) => setTimeout(resolve, 10));
  const { state, done_count, leg } = await runs.find("r1");
  assert.deepEqual([state, done_count, leg], ["completed", 1_000, 2]);
});
