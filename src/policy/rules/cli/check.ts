import { resolve } from "node:path";
import { oneLine } from "../../../base/show.ts";
import { loadPolicyFile } from "../../../config/policy/load-policy.ts";
import { namesOf } from "../files/path-names.ts";
import { describePolicy, type PolicyDescription } from "../describe-policy.ts";
import { withClient } from "../../../cli/client.ts";
import type { Command } from "../../../cli/command.ts";
import { json } from "../../../cli/json.ts";
import { style, styledVerdict } from "../../../cli/style.ts";
import { swarmHome } from "../../../cli/swarm-home.ts";
import { table } from "../../../cli/table.ts";

export const policyCheckCommand: Command = {
  summary: "check a policy file, or show the permission rules in force here and where they are from",
  positionals: ["FILE"],
  examples: ["swarm policy check", "swarm policy check policy.yaml", "swarm policy check --json"],
  async run({ positionals: [file], isJson }) {
    const described =
      file === undefined
        ? await withClient((client) => client.call("showPolicy", { query: { cwd: process.cwd() } }))
        : describePolicy(loadPolicyFile(resolve(file), namesOf(swarmHome(), process.env)));
    // A file that is not in force is what a check is to find.
    const exitCode = described.problem === null ? 0 : 65;
    const none =
      file === undefined
        ? "no rules: `policy: starter` in config.yaml is a way to begin (swarm policy init)"
        : `no rules in ${oneLine(file)}`;
    return { text: isJson ? json(described) : report(described, none), exitCode };
  },
};

function report({ rules, problem, files }: PolicyDescription, none: string): string {
  const rows = rules.map(({ id, behaviour, mode, except, is_enabled, when, source }) => [
    id,
    is_enabled ? (mode === "enforce" ? styledVerdict(behaviour) : `${behaviour} (${mode})`) : "disabled",
    `${source.file}:${source.line}`,
    `${oneLine(JSON.stringify(when), 100)}${exceptText(except)}`,
  ]);
  const notes = [
    ...(problem === null ? [] : [style("red", `not in force, the rules before it are: ${problem}`)]),
    ...files.map((file) => style("dim", `also read: ${file}`)),
  ];
  const shown = rows.length === 0 ? `${none}\n` : table(["RULE", "SAYS", "FROM", "WHEN"], rows);
  return notes.length === 0 ? shown : `${shown}${notes.join("\n")}\n`;
}

function exceptText(except: readonly object[]): string {
  if (except.length === 0) return "";
  const lapsed = except.filter((each) => "until" in each && isOver(each.until)).length;
  const count = `${except.length} ${except.length === 1 ? "exception" : "exceptions"}`;
  return `, ${count}${lapsed === 0 ? "" : `, of which ${lapsed} over`}`;
}

function isOver(until: unknown): boolean {
  return typeof until === "string" && Date.parse(until) <= Date.now();
}
