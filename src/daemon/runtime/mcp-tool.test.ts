import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { eventually, isAlive } from "../../handlers/process/harness.cases.ts";
import { openRuntime } from "./runtime.ts";

const program = join(import.meta.dirname, "../../handlers/mcp-tool/server-program.cases.ts");
const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** A home whose config.yaml declares the server `tools`, and two projects; nothing that was started survives the test. */
async function place(t: TestContext) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-mcp-tool-")));
  const [home, one, two] = ["home", "one", "two"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [home, one, two]) mkdirSync(made);
  const log = { warn: () => undefined };
  const runtime = await openRuntime({ home, cwd: one, env: process.env, log });
  const starts = () => {
    const file = join(folder, "starts");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  };
  t.after(async () => {
    await runtime.close();
    assert.deepEqual(starts().filter(isAlive), []);
    rmSync(folder, { recursive: true });
  });
  const server = (argv: readonly string[] = [process.execPath, program, "stdio", "new"]) =>
    `mcp_servers:\n  tools: { command: ${JSON.stringify(argv)}, env: { STARTS: ${join(folder, "starts")} } }\n`;
  const configure = (text: string) => writeFileSync(join(home, "config.yaml"), text);
  const script = (text: string, mode = 0o755) => {
    writeFileSync(join(home, "server"), text);
    chmodSync(join(home, "server"), mode);
    return server(["./server"]);
  };
  return { runtime, home, one, two, starts, server, configure, script };
}

const hook = (tool: string, more = "", event = "tool.before") =>
  `  - { event: ${event}, type: mcp_tool, server: tools, tool: ${tool}, name: ${tool} ${more} }\n`;
const guard = (tool: string, more = "") => `hooks:\n${hook(tool, `, mode: guard, on_failure: deny ${more}`)}`;

suite("a guard whose tool cannot judge denies, and says why", () => {
  type Place = Awaited<ReturnType<typeof place>>;
  const failures: readonly (readonly [what: string, config: (p: Place) => string, reason: RegExp])[] = [
    [
      "a missing program",
      (p) => guard("deny") + p.server(["./gone"]),
      /cannot be reached: .*gone" does not exist/,
    ],
    [
      "a missing interpreter",
      (p) => guard("deny") + p.script("#!/no/such/interpreter\n"),
      /needs the interpreter "\/no\/such\/interpreter"/,
    ],
    [
      "no right to run it",
      (p) => guard("deny") + p.script("#!/bin/sh\n", 0o644),
      /is not an executable file/,
    ],
    ["a folder where the program should be", (p) => guard("deny") + p.server(["/"]), /cannot be reached/],
    [
      "exit code 1",
      (p) => guard("deny") + p.script("#!/bin/sh\necho oops >&2; exit 1\n"),
      /ended with exit code 1: oops/,
    ],
    ["a signal", (p) => guard("deny") + p.script("#!/bin/sh\nkill -KILL $$\n"), /was ended by SIGKILL/],
    ["an end in the middle", (p) => guard("die") + p.server(), /was lost before it answered: .* exit code 7/],
    ["a deadline", (p) => guard("hang", ", timeout_s: 0.2") + p.server(), /did not answer within 200 ms/],
    ["bad JSON", (p) => guard("half") + p.server(), /returned what is not JSON/],
    ["a flood", (p) => guard("big") + p.server(), /sent a message over 1048576 bytes/],
    ["an error of the tool's", (p) => guard("fail") + p.server(), /tool "fail" .* failed: disk full/],
    ["no such tool", (p) => guard("banana") + p.server(), /there is no tool "banana"/],
    ["an answer that is none", (p) => guard("garbage") + p.server(), /answered verdict "block"/],
    ["a rewrite", (p) => guard("rewrite") + p.server(), /rewrote "tool_input" of tool.before/],
  ];
  for (const [what, config, reason] of failures) {
    test(what, async (t) => {
      const here = await place(t);
      here.configure(config(here));
      const { decision, result } = await here.runtime.events.emit({ event: "tool.before", data: call });
      assert.equal(decision.verdict, "deny");
      assert.match(decision.reason ?? "", reason);
      assert.match(decision.reason ?? "", /; this hook denies when it fails$/);
      assert.equal(result?.status, "skipped_by_hook");
    });
  }
});

test("a tool that fails is logged in the record, and the run goes on", async (t) => {
  const { runtime, configure, server } = await place(t);
  configure(`hooks:\n${hook("fail")}${hook("note")}${server()}`);
  const { decision, data, handlers } = await runtime.events.emit({ event: "tool.before", data: call });
  assert.deepEqual([decision.verdict, data.context], ["none", { noted: true }]);
  assert.deepEqual(
    handlers.map(({ kind, status }) => [kind, status]),
    [
      ["mcp_tool", "failed"],
      ["mcp_tool", "completed"],
    ],
  );
  const { hooks } = runtime.projects.at().config;
  const totals = await runtime.store.hookTotals(hooks[0]?.id ?? "");
  assert.deepEqual([totals.calls, totals.failures], [1, 1]);
  assert.match(totals.last_reason ?? "", /disk full/);
});

test("hooks of all projects share the one server that the user's file declares", async (t) => {
  const { runtime, one, two, starts, configure, server } = await place(t);
  configure(`hooks:\n${hook("note")}${hook("slow", "", "session.start")}${server()}`);
  const emits = [one, two].flatMap((cwd) => [
    runtime.events.emit({ event: "tool.before", data: call, origin: { cwd } }),
    runtime.events.emit({ event: "session.start", data: {}, origin: { cwd } }),
  ]);
  const outcomes = await Promise.all(emits);
  assert.deepEqual(
    outcomes.map(({ data }) => data.context),
    [{ noted: true }, { slow: true }, { noted: true }, { slow: true }],
  );
  assert.equal(starts().length, 1);
});

test("an agent has hooks of its own, by a condition or as an object of tool names", async (t) => {
  const { runtime, configure, server } = await place(t);
  configure(`hooks:
${hook("note", ", when: { agent: writer }", "session.start")}
  - { on_start: clear, on_end: pid, when: { agent: cleaner } }
  - { on_tool_start: deny }
${server()}`);
  const data = { messages: [{ role: "user", content: "hi" }], context: { turn: 1 } };
  const start = async (agent: string) =>
    (await runtime.events.emit({ event: "session.start", data, origin: { agent } })).data;
  assert.deepEqual(await start("writer"), { ...data, context: { turn: 1, noted: true } });
  assert.deepEqual(await start("cleaner"), { messages: [], context: null });
  assert.deepEqual(await start("reader"), data);
  const { decision } = await runtime.events.emit({
    event: "on_tool_start",
    data: call,
    origin: { agent: "reader" },
  });
  assert.deepEqual([decision.verdict, decision.reason], ["deny", "no"]);
});

test("an edit that changes the server ends the one before, any other leaves it", async (t) => {
  const { runtime, starts, configure, server } = await place(t);
  const pid = async () =>
    ((await runtime.events.emit({ event: "session.start", data: {} })).data.context as { pid: number }).pid;
  configure(`hooks:\n${hook("pid", "", "session.start")}${server()}`);
  const first = await pid();
  configure(`# edited\n\nhooks:\n${hook("pid", ", priority: 1", "session.start")}${server()}`);
  assert.equal(await pid(), first);
  configure(
    `hooks:\n${hook("pid", "", "session.start")}${server([process.execPath, program, "stdio", "old"])}`,
  );
  assert.notEqual(await pid(), first);
  await eventually(() => (isAlive(first) ? null : true), "the first is still running");
  assert.equal(starts().length, 2);
  configure(server());
  await runtime.events.emit({ event: "session.start", data: {} });
  await eventually(() => (starts().some(isAlive) ? null : true), "the second is still running");
});

test("a runtime that is cut off ends a call under way and the server with it", async (t) => {
  const { runtime, starts, configure, server } = await place(t);
  configure(`hooks:\n${hook("hang", ", timeout_s: 600")}${server()}`);
  const calling = runtime.events.emit({ event: "tool.before", data: call });
  await eventually(() => (starts().length === 1 ? true : null), "it was never started");
  runtime.abort();
  await assert.rejects(calling, /the daemon is stopping/);
  await runtime.close();
  assert.deepEqual(starts().filter(isAlive), []);
});

test("nothing is started before a tool is called", async (t) => {
  const { runtime, starts, configure, server } = await place(t);
  configure(`hooks:\n${hook("deny")}${server()}`);
  assert.equal((await runtime.events.emit({ event: "session.start", data: {} })).decision.verdict, "none");
  assert.deepEqual(starts(), []);
});
