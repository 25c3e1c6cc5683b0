import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { loadShippedRules } from "../../config/policy/load-policy.ts";
import { testNames } from "./policy-tests.ts";
import { openRuntime } from "../../daemon/runtime/runtime.ts";
import { unhookedTypists } from "./typed-input-guard.ts";

async function decisions(t: TestContext, config: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "swarm-typed-")));
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  for (const made of [home, cwd]) mkdirSync(made);
  writeFileSync(join(home, "config.yaml"), config);
  const log = { warn: () => undefined };
  const runtime = await openRuntime({ home, cwd, env: { ...process.env, HOME: join(folder, "user") }, log });
  t.after(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true });
  });
  return async (command: string, source: string) => {
    const data = { tool_name: "Bash", tool_input: { command } };
    const { decision, handlers } = await runtime.events.emit({
      event: "tool.before",
      data,
      origin: { cwd, source },
    });
    return [decision.verdict, decision.hook, handlers.map(({ name }) => name).join()];
  };
}

const guard = (match: string) =>
  `hooks: [{ event: tool.before, match: ${match}, type: blocking_script, name: mine, command: "true" }]`;

suite("where a hook guards shells and there are no rules", () => {
  test("an agent that types past its hooks may not open a shell", async (t) => {
    const decide = await decisions(t, guard("shell"));
    const denied = ["deny", "policy:self/typed-input", "mine"];
    assert.deepEqual(await decide("bash", "codex"), denied);
    assert.deepEqual(await decide("cd x && env python3 -i", "codex"), denied);
    assert.deepEqual(await decide("vim x", "codex"), denied);
    assert.deepEqual(await decide("bash x.sh", "codex"), ["none", null, "mine"]);
  });

  test("any other agent may, and its record says nothing of it", async (t) => {
    const decide = await decisions(t, guard('"*"'));
    assert.deepEqual(await decide("bash", "claude-code"), ["none", null, "mine"]);
    assert.equal((await decide("bash", "codex"))[0], "deny");
  });

  test("a guard of other tools, an observer or no hook at all asks for nothing of the kind", async (t) => {
    const observer = guard("shell").replace("blocking_script", "script");
    for (const config of [guard("write"), observer, "hooks: []"]) {
      const decide = await decisions(t, config);
      assert.equal((await decide("bash", "codex"))[0], "none", config);
    }
  });

  test("rules bring the same, once", async (t) => {
    const rules = "policy: { rules: [{ id: x, behaviour: deny, when: { tool: Nothing } }] }";
    const decide = await decisions(t, `${guard("shell")}\n${rules}`);
    assert.deepEqual(await decide("bash", "codex"), ["deny", "policy:self/typed-input", "policy,mine"]);
  });
});

test("the rule names the agents that are known to type past their hooks", () => {
  const [rule] = loadShippedRules("self", ["self/typed-input"], testNames)?.rules ?? [];
  assert.deepEqual([rule?.when.agent].flat(), unhookedTypists);
  assert.deepEqual(unhookedTypists, ["codex"]);
});
