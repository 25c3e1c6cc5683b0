// The real Codex: `npm run test:agents -- typed-input`.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { ModelTurn, ToolCall } from "../../src/agents/verify/model-server/script.ts";
import { ProbedAgentRun } from "./probe/probed-run.ts";

/** Types into the command that was started last. */
const type =
  (chars: string) =>
  ({ toolResults }: ModelTurn): ToolCall => {
    const [, id = "0"] = /session ID (\d+)/i.exec(toolResults.at(-1) ?? "") ?? [];
    return { tool: "write_stdin", input: { session_id: Number(id), chars, yield_time_ms: 1_500 } };
  };

const open = (cmd: string) => (): ToolCall => ({
  tool: "exec_command",
  input: { cmd, tty: true, yield_time_ms: 1_000 },
});

const guard = `hooks:
  - {event: tool.before, type: blocking_script, name: no-force-push, match: shell, command: '! grep -q -- "push --force"'}
`;
const rules = "policy: {rules: [{id: no, behaviour: deny, when: {command: git push --force}}]}\n";

suite("codex: what its model types into a running command calls no hook", () => {
  const run = new ProbedAgentRun("codex", "hooks: []\n", {});
  after(() => run.leave());
  const typed = join(run.person.project, "typed");
  const opensAndTypes = async (config: string, cmd: string) => {
    rmSync(typed, { force: true });
    run.configure(config);
    const { results } = await run.run(open(cmd), type("echo push --force > typed\n"), type("exit\n"));
    return { hasRun: existsSync(typed), results };
  };

  test("without a guard a shell can be opened, and does what is typed", async () => {
    const { hasRun, results } = await opensAndTypes("hooks: []\n", "bash");
    assert.equal(hasRun, true, results.join("\n"));
  });

  for (const [what, config] of [
    ["a hook that guards shells", guard],
    ["a policy without the starter's rules", rules],
    ["the starter policy", "policy: starter\n"],
  ] as const) {
    for (const cmd of ["bash", "cat | sh", "env python3 -i"]) {
      test(`with ${what}, ${cmd} is not opened`, async () => {
        const { hasRun, results } = await opensAndTypes(config, cmd);
        assert.equal(hasRun, false);
        assert.match(results[0] ?? "", /what is typed into it later.*\[self\/typed-input\]/s);
      });
    }
  }
});
