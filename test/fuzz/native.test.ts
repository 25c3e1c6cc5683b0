import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adapters } from "../../src/agents/adapters/index.ts";
import { NativeCalls } from "../../src/agents/calls/native-calls.ts";
import { openApp } from "../../src/daemon/server/harness.cases.ts";
import { deep, hostileJson, hostileText, watchRejections } from "./harness.ts";

const agents = Object.values(adapters);
const natives = [...new Set(agents.flatMap(({ events }) => events.map(({ native }) => native)))];
const rules = "policy: { rules: [{ id: no, behaviour: deny, when: { command: rm } }] }\n";

test("whatever an agent's hook is given on stdin, it is answered, and by a guard's entry never with consent by mistake", async (t) => {
  watchRejections(t);
  const { runtime, cwd } = await openApp(t, rules);
  const calls = new NativeCalls(runtime);
  const loose = {
    session_id: hostileJson,
    tool_use_id: hostileJson,
    tool_input: hostileJson,
    transcript_path: hostileJson,
  };
  const shaped = fc.record(
    {
      ...loose,
      hook_event_name: fc.oneof(fc.constantFrom(...natives), hostileText),
      tool_name: fc.oneof(fc.constantFrom("Bash", "shell", "Write", "run_shell_command"), hostileJson),
      cwd: fc.oneof(fc.constant(cwd), hostileJson),
      prompt: hostileJson,
      other: hostileJson,
    },
    { requiredKeys: [] },
  );
  const input = fc.oneof(
    { weight: 6, arbitrary: shaped.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    {
      weight: 1,
      arbitrary: fc.constant(`{"hook_event_name":"PreToolUse","tool_input":${JSON.stringify(deep(3_000))}}`),
    },
  );
  const agent = fc.oneof(
    fc.constantFrom(...agents.map((one) => one.agent as string)),
    fc.constantFrom("nobody", ""),
  );
  const property = fc.asyncProperty(agent, fc.boolean(), input, async (name, isGuard, text) => {
    const answer = await calls.answer({ agent: name, isGuard, timeoutMs: 0, env: {}, input: text });
    assert.ok([0, 2].includes(answer.exitCode), String(answer.exitCode));
    assert.ok(answer.stdout === "" || typeof JSON.parse(answer.stdout) === "object");
    if (isGuard && !isObject(text)) assert.equal(answer.exitCode, 2, "what cannot be read cannot be judged");
  });
  await fc.assert(property, { numRuns: 400 });
});

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
