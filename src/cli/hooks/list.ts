import { oneLine } from "../../base/show.ts";
import { type ResultOf, withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { json } from "../json.ts";
import { style } from "../style.ts";
import { table } from "../table.ts";

export const hooksListCommand: Command = {
  summary: "list the hooks in force in this folder, and where each is declared",
  positionals: [],
  examples: ["swarm hooks list", "swarm hooks list --json"],
  async run({ isJson }) {
    const found = await withClient((client) => client.call("listHooks", { query: { cwd: process.cwd() } }));
    const { items, files, problem, skipped } = found;
    if (isJson) return json({ files, hooks: items, problem, skipped });
    const broken = problem === null ? "" : `${style("red", `not in force: ${problem}`)}\n`;
    if (items.length === 0)
      return `${broken}no hooks: write some into swarm.yaml, see docs/configuration.md\n`;
    const skips = skipped.map(
      ({ nativeEvent, reason }) => `${oneLine(`skipped ${nativeEvent}: ${reason}`)}\n`,
    );
    const warnings = items.flatMap(({ name, warnings }) =>
      warnings.map((warning) => `${style("yellow", oneLine(`warning: ${name}: ${warning}`))}\n`),
    );
    return [broken, table(heads, items.map(row)), ...warnings, ...skips].join("");
  },
};

const heads = [
  "ID",
  "NAME",
  "EVENT",
  "MATCH",
  "KIND",
  "MODE",
  "PRIORITY",
  "TIMEOUT",
  "ON FAILURE",
  "TRUST",
  "LAST RESULT",
  "SOURCE",
];

function row(hook: ResultOf<"listHooks">["items"][number]): string[] {
  const { id, name, event, match, kind, mode, priority, timeout_s, on_failure, trust, source } = hook;
  const result = hook.enabled ? (hook.last_result ?? "never ran") : "disabled";
  return [
    id,
    name,
    event,
    match,
    kind,
    mode,
    String(priority),
    `${timeout_s} s`,
    on_failure,
    trust,
    result,
    source,
  ];
}
