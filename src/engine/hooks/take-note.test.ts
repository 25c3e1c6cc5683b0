import assert from "node:assert/strict";
import { test } from "node:test";
import type { HandlerFunction } from "./handler.ts";
import { type EngineOptions, openHooks } from "./create-hooks.ts";

const call = { tool_name: "Bash", tool_input: { command: "ls" } };

/** An engine with one hook that takes note, and what it has noted. */
function open(options: object = {}, engine: EngineOptions = {}, handler?: HandlerFunction) {
  const warnings: string[] = [];
  const log = { warn: (message: string) => warnings.push(message) };
  const { hooks, register } = openHooks({ trace: true, log, ...engine });
  const noted: unknown[] = [];
  const note: HandlerFunction = handler ?? ((data, { id, event }) => void noted.push({ id, event, data }));
  register("tool.before", { name: "it", mode: "observe", takesNote: true, ...options }, note, "webhook");
  return { hooks, register, noted, warnings };
}

test("a hook that takes note has the final payload before the outcome leaves", () => {
  const { hooks, register, noted } = open();
  register("tool.before", {}, () => ({ rewrite: { tool_input: { command: "true" } } }), "function");
  const outcome = hooks.emit("tool.before", call);
  assert.ok(!(outcome instanceof Promise));
  assert.deepEqual(noted, [
    { id: outcome.id, event: "tool.before", data: { ...call, tool_input: { command: "true" } } },
  ]);
  const record = outcome.handlers.find(({ name }) => name === "it");
  assert.deepEqual(
    [record?.kind, record?.mode, record?.status, record?.verdict],
    ["webhook", "observe", "completed", "none"],
  );
});

test("it takes no note of what was denied, unless it asks for that", () => {
  for (const onDenied of [false, true]) {
    const { hooks, register, noted } = open({ onDenied });
    register("tool.before", {}, () => ({ verdict: "deny", reason: "no" }), "function");
    hooks.emit("tool.before", call);
    assert.equal(noted.length, onDenied ? 1 : 0);
  }
});

test("its matcher and its conditions hold for it as for any hook", () => {
  const { hooks, noted } = open({ match: "Write" });
  hooks.emit("tool.before", call);
  assert.deepEqual(noted, []);
  const other = open({ when: { args: { command: "rm*" } } });
  const outcome = other.hooks.emit("tool.before", call);
  assert.ok(!(outcome instanceof Promise));
  assert.deepEqual([other.noted, outcome.handlers[0]?.status], [[], "skipped"]);
});

test("its failure is told and changes nothing", async () => {
  const { hooks, register, warnings } = open({}, {}, () => {
    throw new Error("no ink");
  });
  const heard: unknown[] = [];
  register("hook.failed", { mode: "observe" }, (data) => void heard.push(data.name), "function");
  const outcome = await hooks.emit("tool.before", call);
  assert.deepEqual([outcome.decision.verdict, outcome.data], ["none", call]);
  assert.deepEqual(
    [outcome.handlers[0]?.status, outcome.handlers[0]?.reason],
    ["failed", "hook it failed: Error: no ink"],
  );
  await hooks.close();
  assert.deepEqual([heard, warnings], [["it"], ["hook it failed: Error: no ink"]]);
});

test("it takes note without a trace too", () => {
  const { hooks, noted } = open({}, { trace: false });
  hooks.emit("tool.before", call);
  assert.equal(noted.length, 1);
});

for (const takesNote of [true, false]) {
  test(`an observer ${takesNote ? "that takes note" : "called later"} has the decision, and may ask for denials alone`, async () => {
    const seen: unknown[] = [];
    const { hooks, register } = openHooks({ trace: true, log: { warn: () => undefined } });
    register(
      "tool.before",
      { name: "judge" },
      ({ tool_name }: Readonly<Record<string, unknown>>, call) => {
        seen.push(call.decision, call.envelope({}).decision);
        return tool_name === "Bash" ? { verdict: "deny", reason: "no" } : undefined;
      },
      "function",
    );
    const when = { verdict: ["deny", "ask"] };
    register(
      "tool.before",
      { name: "tell", mode: "observe", when, takesNote },
      (_data, call) => {
        seen.push(call.decision?.verdict, call.envelope({}).decision);
      },
      "function",
    );
    assert.throws(
      () => register("tool.before", { when, mode: "guard" }, () => undefined, "function"),
      /when\.verdict .*observers only/,
    );
    for (const tool_name of ["Read", "Bash"]) await hooks.emit("tool.before", { tool_name, tool_input: {} });
    await hooks.close();
    const decision = { verdict: "deny", reason: "no", hook: "judge" };
    assert.deepEqual(seen, [undefined, undefined, undefined, undefined, "deny", decision]);
  });
}
