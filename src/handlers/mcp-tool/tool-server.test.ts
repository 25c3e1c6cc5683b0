import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { manualClock } from "../../engine/testing/manual-clock.ts";
import { eventually, isAlive, linuxOnly } from "../process/harness.cases.ts";
import { emitTo, reasonOf, Workshop, ways } from "./harness.cases.ts";
import { serverLimits } from "./server-spec.ts";
import type { ToolServer } from "./tool-server.ts";

const guard = { mode: "guard", onFailure: "deny" };

/** The process that answers now. */
async function pidOf(server: ToolServer): Promise<number> {
  const { data } = await emitTo("pid", [server], { event: "session.start" });
  return (data.context as { pid: number }).pid;
}

for (const [transport, era] of ways) {
  const way = `over ${transport}, ${era}`;
  const start = async (t: TestContext) => {
    const workshop = new Workshop(t);
    return { workshop, server: workshop.server(await workshop.spec(transport, era)) };
  };

  test(`${way}: calls at the same time share one connection and get each its own answer`, async (t) => {
    const { workshop, server } = await start(t);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        emitTo("slow", [server], { event: "session.start", data: { messages: [{ content: `${index}` }] } }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ data }) => data),
      outcomes.map((_, index) => ({ messages: [{ content: `${index}` }], context: { slow: true } })),
    );
    assert.equal(workshop.starts().length, 1);
  });

  test(`${way}: the list of tools is asked for once, and again when the server says that it changed`, async (t) => {
    const { server } = await start(t);
    const signal = new AbortController().signal;
    const before = await server.tools(signal);
    assert.equal(before.has("added"), false);
    assert.equal(await server.tools(signal), before);
    await emitTo("add", [server]);
    let after = before;
    // The news comes by itself: nobody can say when.
    for (; after === before; after = await server.tools(signal)) await nextTurn();
    assert.equal(after.has("added"), true);
    const { data } = await emitTo("added", [server], { event: "session.start" });
    assert.deepEqual(data, { context: { added: true } });
  });

  test(`${way}: an answer over 1 MiB is a failure of its own, and the next call works`, async (t) => {
    const { server } = await start(t);
    const reason = 'MCP server "test" sent a message over 1048576 bytes, expected fewer';
    assert.equal(reasonOf(await emitTo("big", [server])), `failed: ${reason}`);
    assert.equal((await emitTo("deny", [server])).decision.verdict, "deny");
    const { decision } = await emitTo("big", [server], { options: guard });
    assert.equal(decision.reason, `${reason}; this hook denies when it fails`);
  });

  test(`${way}: a call that is given up is answered by nobody, and the connection is kept`, async (t) => {
    const { workshop, server } = await start(t);
    await emitTo("silent", [server]);
    for (const options of [{}, guard]) {
      const given = await emitTo("hang", [server], { options: { ...options, timeoutMs: 20 } });
      assert.equal(given.handlers[0]?.status, "timed_out");
    }
    assert.equal((await emitTo("deny", [server])).decision.verdict, "deny");
    assert.equal(workshop.starts().length, 1);
  });
}

for (const era of ["new", "old"] as const) {
  test(`stdio, ${era}: a server that is killed fails the call under way at once, and the next one starts it`, async (t) => {
    const workshop = new Workshop(t);
    const server = workshop.server(await workshop.spec("stdio", era));
    const pid = await pidOf(server);
    const hanging = [emitTo("hang", [server]), emitTo("hang", [server], { options: guard })] as const;
    process.kill(pid, "SIGKILL");
    const reason = 'MCP server "test" was lost before it answered: it was ended by SIGKILL';
    const [allowed, denied] = await Promise.all(hanging);
    assert.deepEqual([reasonOf(allowed), allowed.decision.verdict], [`failed: ${reason}`, "none"]);
    assert.equal(denied.decision.reason, `${reason}; this hook denies when it fails`);
    assert.notEqual(await pidOf(server), pid);
    assert.equal(workshop.starts().length, 2);
  });

  test(`http, ${era}: a server that is killed fails the call under way at once, and the next one finds its successor`, async (t) => {
    const clock = manualClock();
    const workshop = new Workshop(t, clock);
    const { port, kill } = await workshop.serve(era);
    const server = workshop.server(workshop.remote(port));
    const pid = await pidOf(server);
    const posts = () => workshop.lines("requests").filter((line) => line.startsWith("POST")).length;
    const before = posts();
    const hanging = emitTo("hang", [server]);
    await eventually(() => (posts() > before ? true : null), "the call never arrived");
    await kill();
    assert.match(reasonOf(await hanging), /^failed: MCP server "test" was lost before it answered: /);
    assert.match(
      reasonOf(await emitTo("silent", [server])),
      /^failed: MCP server "test" cannot be reached: /,
    );
    await workshop.serve(era, port);
    await clock.advance(serverLimits.firstDelayMs);
    assert.notEqual(await pidOf(server), pid);
  });
}

// Its end is heard of by the stream that was open; without one, by the session its successor does not know.
for (const path of ["/mcp", "/deaf"]) {
  test(`a server of HTTP that was started anew between two calls is no failure, at ${path}`, async (t) => {
    const workshop = new Workshop(t);
    const { port, kill } = await workshop.serve("old");
    const server = workshop.server(workshop.remote(port, path));
    const pid = await pidOf(server);
    await kill();
    await workshop.serve("old", port);
    assert.notEqual(await pidOf(server), pid);
  });
}

test("a server that ends itself while it is called is a failure that quotes its last words", async (t) => {
  const workshop = new Workshop(t);
  const dying = workshop.server(
    workshop.script('call = () => { console.error("out of luck"); process.exit(7); };'),
  );
  const reason =
    'failed: MCP server "test" was lost before it answered: it ended with exit code 7: out of luck';
  assert.equal(reasonOf(await emitTo("it", [dying])), reason);
});

const unreachable: Readonly<
  Record<string, readonly [(workshop: Workshop) => Parameters<Workshop["server"]>[0], RegExp]>
> = {
  "a program that is not there": [(w) => w.local(["./nowhere"]), /the program ".*nowhere" does not exist$/],
  "a program that is not in PATH": [(w) => w.local(["no-such-program"]), /was not found in PATH$/],
  "a program that ends at once": [
    (w) => w.local([process.execPath, "-e", "console.error('no config'); process.exit(3)"]),
    /it ended with exit code 3: no config$/,
  ],
  "a program that speaks another language": [
    (w) => w.script(`take = ({ id }) => { if (id !== undefined) reply(id, "hello"); };`),
    /it sent a message that is none$/,
  ],
  "a program that floods": [
    (w) => w.script('take = () => process.stdout.write("x".repeat(2_000_000));'),
    /sent a message over 1048576 bytes, expected fewer$/,
  ],
};

for (const [says, [make, problem]] of Object.entries(unreachable)) {
  test(`${says} cannot be reached, and says why`, async (t) => {
    const workshop = new Workshop(t);
    const server = workshop.server(make(workshop));
    const outcome = await emitTo("it", [server], { options: guard });
    assert.match(outcome.handlers[0]?.reason ?? "", /^MCP server "test" cannot be reached: /);
    assert.match(outcome.decision.reason?.replace("; this hook denies when it fails", "") ?? "", problem);
  });
}

test("an address where nobody listens cannot be reached, and says why", async (t) => {
  const workshop = new Workshop(t);
  const { port, kill } = await workshop.serve("new");
  await kill();
  const reason = `failed: MCP server "test" cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`;
  assert.equal(reasonOf(await emitTo("it", [workshop.server(workshop.remote(port))])), reason);
});

test("an address that is not of the public internet is refused, unless the server's entry lists it", async (t) => {
  const workshop = new Workshop(t);
  const { port } = await workshop.serve("new");
  const { transport, name } = workshop.remote(port);
  const server = workshop.server({ name, transport: { ...transport, allowPrivate: [] } as typeof transport });
  const expected = "expected an address of the public internet or one its allow_private lists";
  const reason = `failed: MCP server "test" cannot be reached: 127.0.0.1 is refused (loopback), ${expected}`;
  assert.equal(reasonOf(await emitTo("it", [server])), reason);
  assert.deepEqual(workshop.lines("requests"), []);
});

test("what an HTTP server refuses is said with its status, and a redirect is not followed", async (t) => {
  const workshop = new Workshop(t);
  const { port } = await workshop.serve("new");
  const reason = async (path: string) =>
    reasonOf(await emitTo("deny", [workshop.server(workshop.remote(port, path))])).replace(/^failed: /, "");
  assert.equal(
    await reason("/broken"),
    'MCP server "test" cannot be reached: HTTP 500 Internal Server Error',
  );
  assert.equal(await reason("/private"), 'MCP server "test" cannot be reached: HTTP 401 Unauthorized');
  assert.match(await reason("/moved"), /HTTP 307, a redirect, expected an answer from the address itself$/);
  const headers = { Authorization: "Bearer s3cret", "X-Key": "k" };
  const server = workshop.server(workshop.remote(port, "/private", "test", headers));
  assert.equal((await emitTo("deny", [server])).decision.verdict, "deny");
  assert.ok(workshop.lines("requests").includes("POST k"));
});

test("an error of the protocol, and an answer that is none, are failures that say so", async (t) => {
  const workshop = new Workshop(t);
  const reason = async (code: string) =>
    reasonOf(await emitTo("it", [workshop.server(workshop.script(code))]));
  const refused = 'failed: MCP server "test" answered with an error: ';
  assert.equal(
    await reason('call = (id) => send({ id, error: { code: -32000, message: "not\\ntoday" } });'),
    `${refused}-32000 not today`,
  );
  assert.match(
    await reason("call = (id) => reply(id, { content: 7 });"),
    /^failed: MCP server "test" answered with an error: its answer cannot be used: /,
  );
});

test("a server over HTTP whose answer is none, and one that asks back, fail that call and no other", async (t) => {
  const workshop = new Workshop(t);
  const { port } = await workshop.serve("new");
  const garbled = workshop.server(workshop.remote(port, "/garbled"));
  assert.match(reasonOf(await emitTo("deny", [garbled])), /error: its answer cannot be used: /);
  const server = workshop.server(workshop.remote(port));
  const slow = emitTo("slow", [server], { event: "session.start" });
  assert.match(
    reasonOf(await emitTo("asks_back", [server])),
    /^failed: MCP server "test" answered with an error: /,
  );
  assert.equal(reasonOf(await slow), "completed: null");
});

test("a server that ends the stream of changes at once can be called, and is connected to anew each time", async (t) => {
  const workshop = new Workshop(t);
  const { port } = await workshop.serve("old");
  const server = workshop.server(workshop.remote(port, "/brief"));
  for (let call = 0; call < 3; call++) {
    const both = await Promise.all([emitTo("deny", [server]), emitTo("deny", [server])]);
    assert.deepEqual(
      both.map(({ decision }) => decision.reason),
      ["no", "no"],
    );
  }
});

test("what is no message is passed over: a banner, an empty line, half an object", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(
    workshop.script('process.stdout.write("Welcome!\\n\\n{\\n[1]\\n{\\"a\\":\\"jsonrpc\\"}\\n");'),
  );
  assert.equal(reasonOf(await emitTo("it", [server])), "completed: null");
});

test("an old server that ends when it is asked for its version is started again and not asked", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(
    workshop.script(
      'take = (m) => { if (m.method === "server/discover") process.exit(1); take = answer; answer(m); };',
    ),
  );
  assert.equal(reasonOf(await emitTo("it", [server])), "completed: null");
  assert.equal(workshop.starts().length, 2);
  process.kill(workshop.starts()[1] ?? 0, "SIGKILL");
  await eventually(() => (isAlive(workshop.starts()[1] ?? 0) ? null : true), "it is still running");
  while (reasonOf(await emitTo("it", [server])) !== "completed: null");
  assert.equal(workshop.starts().length, 3);
});

test("a tool that is not listed is looked for again, but not on every call", async (t) => {
  const clock = manualClock();
  const workshop = new Workshop(t, clock);
  const server = workshop.server(
    workshop.script(
      'let lists = 0; take = (m) => { if (m.method === "tools/list" && ++lists > 1) tools.push({ name: "late", inputSchema: { type: "object" } }); answer(m); };',
    ),
  );
  const unknown = 'failed: there is no tool "late" on MCP server test';
  assert.equal(reasonOf(await emitTo("late", [server])), unknown);
  assert.equal(reasonOf(await emitTo("late", [server])), unknown);
  await clock.advance(serverLimits.relistMs);
  assert.equal(reasonOf(await emitTo("late", [server])), "completed: null");
});

test("a list of tools without an end is refused", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(
    workshop.script(
      'take = (m) => m.method === "tools/list" ? reply(m.id, { tools: [{ name: "t" + Math.random(), inputSchema: { type: "object" } }], nextCursor: "more" }) : answer(m);',
    ),
  );
  assert.match(
    reasonOf(await emitTo("it", [server])),
    /answered with an error: its list of tools has no end, expected at most 1000$/,
  );
});

test("one that fails again and again is left alone for longer and longer, up to a limit", async (t) => {
  const clock = manualClock();
  const workshop = new Workshop(t, clock);
  const server = workshop.server(workshop.script("call = () => process.exit(1);"));
  const waits: number[] = [];
  for (let failures = 0; failures < 8; failures++) {
    const starts = workshop.starts().length;
    let waitedMs = 0;
    while (workshop.starts().length === starts) {
      assert.match(reasonOf(await emitTo("it", [server])), /^failed: /);
      if (workshop.starts().length > starts) break;
      await clock.advance(250);
      waitedMs += 250;
    }
    waits.push(waitedMs);
  }
  assert.deepEqual(waits, [0, 0, 500, 1_000, 2_000, 4_000, 8_000, 15_000]);
  const left = reasonOf(await emitTo("it", [server]));
  assert.match(left, /cannot be reached: it ended with exit code 1; tried again in 15 s, after 8 failures$/);
});

test("a server that answers three calls in a row with silence is started anew", {
  skip: linuxOnly,
}, async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(await workshop.spec("stdio", "new"));
  const pid = await pidOf(server);
  process.kill(pid, "SIGSTOP");
  for (let call = 0; call < serverLimits.unanswered; call++) {
    const { handlers } = await emitTo("deny", [server], { options: { timeoutMs: 20 } });
    assert.equal(handlers[0]?.status, "timed_out");
  }
  assert.notEqual(await pidOf(server), pid);
});

test("a server sees the variables that are declared and the allowed few, and runs in its folder", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(await workshop.spec("stdio", "new"));
  const { data } = await emitTo("variables", [server], { event: "session.start" });
  const { names, cwd } = data.context as { names: string[]; cwd: string };
  assert.equal(cwd, workshop.folder);
  assert.deepEqual(
    ["STARTS", "PATH", "SECRET", "NODE_TEST_CONTEXT"].filter((name) => names.includes(name)),
    ["STARTS", "PATH"],
  );
});

test("what a server says on standard error is logged line by line, without secrets and not for ever", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(await workshop.spec("stdio", "new"));
  await emitTo("complain", [server]);
  await eventually(() => (workshop.logged.length >= 2 ? true : null), "nothing was logged");
  await emitTo("complain", [server]);
  assert.deepEqual(workshop.logged, [
    "info MCP server test: the token is [redacted]",
    "info MCP server test: (more is not logged)",
  ]);
});

test("a server works in a strict sandbox", async (t) => {
  const workshop = new Workshop(t);
  // In there it has another number than out here.
  const spec = await workshop.spec("stdio", "new", "test", { STARTS: "/dev/null" });
  assert.equal((await emitTo("deny", [workshop.server(spec, "strict")])).decision.verdict, "deny");
});

test("a server that does not end when it is asked, and what it has started, is gone when the pool is closed", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(
    workshop.script(
      `process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000);
       const { spawn } = await import("node:child_process");
       appendFileSync(process.env.STARTS, spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).pid + "\\n");`,
    ),
  );
  assert.equal(reasonOf(await emitTo("it", [server])), "completed: null");
  const started = workshop.starts();
  assert.equal(started.length, 2);
  await workshop.pool.close();
  assert.deepEqual(started.filter(isAlive), []);
  assert.match(reasonOf(await emitTo("it", [server])), /cannot be reached: it was closed$/);
});

test("a server whose start is under way when the pool is closed is gone too", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(workshop.script("take = () => undefined;"));
  const calling = emitTo("it", [server]);
  await eventually(() => (workshop.starts().length === 1 ? true : null), "it was never started");
  await workshop.pool.close();
  assert.match(reasonOf(await calling), /^failed: MCP server "test" cannot be reached/);
  assert.deepEqual(workshop.starts().filter(isAlive), []);
});

test("a call that is given up while the server starts does not keep the next one from finding it started", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(workshop.script("setTimeout(() => undefined, 0);"));
  const { handlers } = await emitTo("it", [server], { options: { timeoutMs: 1 } });
  assert.equal(handlers[0]?.status, "timed_out");
  assert.equal(reasonOf(await emitTo("it", [server])), "completed: null");
  assert.equal(workshop.starts().length, 1);
});

test("a server that does not read what it is sent is lost, not fed for ever", async (t) => {
  const workshop = new Workshop(t);
  const server = workshop.server(workshop.script("call = () => { process.stdin.pause(); for (;;); };"));
  const data = { messages: [{ content: "x".repeat(7_000_000) }] };
  const calls = Array.from({ length: 8 }, () => emitTo("it", [server], { event: "session.start", data }));
  const reasons = (await Promise.all(calls)).map(reasonOf);
  assert.deepEqual(
    [...new Set(reasons)],
    ['failed: MCP server "test" was lost before it answered: it does not read what it is sent'],
  );
});

test("two who say the same of a server share it, others do not, and it ends with the last of them", async (t) => {
  const workshop = new Workshop(t);
  const spec = await workshop.spec("stdio", "new");
  const [first, second] = [workshop.pool.lease(spec, "off"), workshop.pool.lease({ ...spec }, "off")];
  const other = workshop.pool.lease(workshop.local([process.execPath, "-e", "0"]), "off");
  assert.equal(first.server, second.server);
  assert.notEqual(first.server, other.server);
  const pid = await pidOf(first.server);
  first.release();
  first.release();
  assert.equal(await pidOf(second.server), pid);
  second.release();
  await eventually(() => (isAlive(pid) ? null : true), "it is still running");
  const third = workshop.pool.lease(spec, "off");
  assert.notEqual(await pidOf(third.server), pid);
});
