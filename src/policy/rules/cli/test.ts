import { resolve } from "node:path";
import { adapters } from "../../../agents/adapters/index.ts";
import { oneLine } from "../../../base/show.ts";
import { loadConfig } from "../../../config/load.ts";
import { loadPolicyFile } from "../../../config/policy/load-policy.ts";
import type { PolicyConfig, PolicyTest } from "../../../config/policy/policy-config.ts";
import { type NamesOfTool, testNames, testPolicy } from "../policy-tests.ts";
import type { AgentName } from "../../../agents/port/agents.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style, styledVerdict } from "../../../cli/style.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { table } from "../../../cli/table.ts";

export const policyTestCommand: Command = {
  summary:
    "judge the cases under tests: of a policy file, or of the policy in force here; exit 1 if one is not as expected",
  positionals: ["FILE"],
  flags: { all: { doc: "show every case, not only those that are not as expected" } },
  examples: [
    "swarm policy test",
    "swarm policy test policy.yaml",
    "swarm policy test cases.yaml --all --json",
  ],
  run({ positionals: [file], flags, isJson }) {
    const { policy, tests } = casesOf(file);
    const nowMs = Date.now();
    const results = tests.map((test) => ({ test, ...testPolicy(policy, test, nowMs, namesOfTool) }));
    const failed = results.filter(({ isAsExpected }) => !isAsExpected);
    const exitCode = failed.length === 0 ? 0 : 1;
    if (isJson) {
      const cases = results.map(
        ({ test: { source, expect, rule: expected_rule, event, name, input }, ...result }) => {
          const { isAsExpected: is_as_expected, verdict, rule, reason } = result;
          return { source, event, name, input, expect, expected_rule, verdict, rule, reason, is_as_expected };
        },
      );
      return { text: json({ cases, count: results.length, failed: failed.length }), exitCode };
    }
    const rows = (flags.has("all") ? results : failed).map(({ test, verdict, rule, isAsExpected }) => [
      isAsExpected ? "ok" : "WRONG",
      test.rule === null || isAsExpected ? styledVerdict(test.expect) : `${test.expect} by ${test.rule}`,
      styledVerdict(verdict),
      rule ?? "-",
      `${test.source.file}:${test.source.line}`,
      subjectOf(test),
    ]);
    const shown = rows.length === 0 ? "" : table(["", "EXPECTED", "SAID", "BY", "AT", "OF"], rows);
    if (results.length === 0) return "no cases: they stand under tests: in a policy file\n";
    const summary = `${results.length - failed.length} of ${results.length} cases as expected`;
    return { text: `${shown}${style(exitCode === 0 ? "green" : "red", summary)}\n`, exitCode };
  },
};

/** A case may name the agent whose tool it is about. */
const namesOfTool: NamesOfTool = (agent, tool_name) =>
  Object.hasOwn(adapters, agent) ? adapters[agent as AgentName].toolNames({ tool_name }) : undefined;

/** Cases in a file without rules are judged by the policy in force here. */
function casesOf(file: string | undefined): Pick<PolicyConfig, "policy" | "tests"> {
  const inForce = () =>
    loadConfig({ home: swarmHome(), cwd: process.cwd(), env: process.env, names: testNames }).policy;
  if (file === undefined) return inForce();
  const loaded = loadPolicyFile(resolve(file), testNames);
  return loaded.rules.length > 0 ? loaded : { policy: inForce().policy, tests: loaded.tests };
}

function subjectOf({ name, input }: PolicyTest): string {
  return oneLine(typeof input.command === "string" ? input.command : `${name} ${JSON.stringify(input)}`, 100);
}
