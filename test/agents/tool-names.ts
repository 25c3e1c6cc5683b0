import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ModelTurn } from "../../src/agents/verify/model-server/script.ts";
import { ProbedAgentRun } from "./probe/probed-run.ts";
import { toolNameCases } from "./tool-names.cases.ts";

const command = "printf ran > other-shell";

toolNameCases({
  agent: "claude-code",
  otherShells: [{ tool: "Monitor", input: { command, description: "d", timeout_ms: 5_000 } }],
});
toolNameCases({ agent: "codex" });
toolNameCases({ agent: "gemini-cli" });
toolNameCases({
  agent: "qwen-code",
  otherShells: [{ tool: "tool_call", input: { name: "monitor", arguments: { command, description: "d" } } }],
});
toolNameCases({ agent: "copilot" });
toolNameCases({ agent: "opencode" });

test("claude-code: a hook of task.created keeps a task off its list", async () => {
  const config = `hooks:
  - {event: task.created, type: blocking_script, name: no-docs, command: '! grep -q "Write docs"'}
`;
  const run = new ProbedAgentRun("claude-code", config, {});
  after(() => run.leave());
  const create = (subject: string) => () => ({
    tool: "TaskCreate",
    input: { subject, description: "d", activeForm: "Writing" },
  });
  const complete = ({ toolResults }: ModelTurn) => {
    const taskId = /#(\d+)/.exec(toolResults.at(-1) ?? "")?.[1] ?? "none";
    return { tool: "TaskUpdate", input: { taskId, status: "completed" } };
  };
  const list = () => ({ tool: "TaskList", input: {} });
  const { results } = await run.run(create("Write docs"), create("Write tests"), complete, list);
  assert.match(results[0] ?? "", /no-docs/);
  assert.match(results.at(-1) ?? "", /Write tests/);
  assert.doesNotMatch(results.at(-1) ?? "", /Write docs/);
  const { stdout } = run.person.swarm("audit", "log", "--json");
  const { items } = JSON.parse(stdout) as { items: { event: string; source: string; verdict: string }[] };
  assert.deepEqual(
    items
      .filter(({ event }) => event.startsWith("task."))
      .map(({ event, source, verdict }) => [event, source, verdict])
      .toReversed(),
    [
      ["task.created", "claude-code", "deny"],
      ["task.created", "claude-code", "none"],
      ["task.completed", "claude-code", "none"],
    ],
  );
});
