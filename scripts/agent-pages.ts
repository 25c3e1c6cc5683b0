// A page for each coding agent, and the table of what each can be told: all of it from the adapters' tables.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adapters } from "../src/agents/adapters/index.ts";
import { type EventName, rewritableFields, rowOf } from "../src/engine/events/names.ts";
import type { ExtraVerdict } from "../src/engine/events/row.ts";
import type { Adapter, DenyEffect, NativeEvent } from "../src/agents/port/adapter.ts";
import { agentPrograms } from "../src/agents/verify/agents/agent-programs.ts";
import type { AgentReport } from "../src/agents/verify/check.ts";

const root = join(import.meta.dirname, "..");
const all: readonly Adapter[] = Object.values(adapters);

export function agentPages(notice: string): [path: string, text: string][] {
  return all.map((adapter) => [`docs/agents/${adapter.agent}.md`, pageOf(adapter, notice)]);
}

/** A file written by hand, with the table in its place. */
export function withMatrix(path: string, folder: string): string {
  const text = readFileSync(join(root, path), "utf8");
  return replaceBetween(
    path,
    text,
    ["<!-- agents: npm run generate -->\n", "<!-- /agents -->"],
    matrix(folder),
  );
}

/** The policy that protects itself, with the files and commands by which each agent's hooks can be switched off. */
export function withAgentRules(path: string): string {
  const list = (key: "decidingFiles" | "disablingCommands") =>
    [...new Set(all.flatMap(({ settings }) => settings[key]))]
      .map((value) => `        - ${value}\n`)
      .join("");
  const text = readFileSync(join(root, path), "utf8");
  const withFiles = replaceBetween(
    path,
    text,
    ["# agents' files: npm run generate\n", "        # /agents' files"],
    list("decidingFiles"),
  );
  const withCommands = replaceBetween(
    path,
    withFiles,
    ["# agents' commands: npm run generate\n", "        # /agents' commands"],
    list("disablingCommands"),
  );
  const variables = all.flatMap(({ bypasses }) => bypasses.filter(({ kind }) => kind === "variable"));
  const patterns = variables.flatMap(({ names }) => names.map((name) => `          *${name}*=*`));
  return replaceBetween(
    path,
    withCommands,
    ["# agents' variables: npm run generate\n", "      # /agents' variables"],
    `      args_pattern: >-\n${patterns.join("|\n")}\n`,
  );
}

function replaceBetween(
  path: string,
  text: string,
  [begin, end]: readonly [begin: string, end: string],
  content: string,
): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`${path} has no place between ${begin.trim()} and ${end.trim()}`);
  return text.slice(0, from + begin.length) + content + text.slice(to);
}

function matrix(folder: string): string {
  const head = ["agent", "denies a tool", "rewrites its arguments", "asks you", "refuses a prompt"];
  const more = [
    "changes a result",
    "also of a failed command",
    "is kept at work",
    "model calls",
    "types past hooks",
    "proven with the real program",
  ];
  const rows = all.map((adapter) => {
    const of = (event: EventName) => installedRow(adapter, event);
    const cells = [
      yes(of("tool.before")?.deny === "prevents"),
      yes(of("tool.before")?.rewrites.includes("tool_input") === true),
      yes(of("tool.before")?.verdicts.includes("ask") === true),
      yes(of("prompt.submit")?.deny === "prevents"),
      resultCell(of("tool.after")),
      failedResultCell(adapter),
      yes(of("turn.end")?.deny === "keeps_working"),
      yes(of("model.before")?.deny === "prevents"),
      adapter.typing === null ? "not known" : yes(adapter.typing === "unhooked"),
      proofOf(adapter),
    ];
    return `| [${adapter.title}](${folder}/${adapter.agent}.md) | ${cells.join(" | ")} |`;
  });
  const titles = [...head, ...more];
  return `${[`| ${titles.join(" | ")} |`, `|${"---|".repeat(titles.length)}`, ...rows].join("\n")}\n`;
}

function yes(isSo: boolean): string {
  return isSo ? "yes" : "–";
}

function resultCell(row: NativeEvent | undefined): string {
  if (row?.rewrites.includes("tool_output") === true) return "yes";
  return row?.deny === "feedback" ? "the reason instead" : "–";
}

/** A hook of `tool.failed` comes too late: its words stand beside the output, not in its place. */
function failedResultCell(adapter: Adapter): string {
  if (adapter.failedCommandEvent === null) return "not known";
  const row = installedRow(adapter, adapter.failedCommandEvent);
  return adapter.failedCommandEvent === "tool.after"
    ? resultCell(row)
    : yes(row?.rewrites.includes("error") === true);
}

function proofOf({ agent }: Adapter): string {
  if ("unprovable" in agentPrograms[agent]) return "not provable here";
  const { verdict, version } = reportOf(agent);
  return `${verdict}, ${version}`;
}

/** What the real program was found to do, by `npm run test:agents`. */
function reportOf(agent: string): AgentReport {
  return JSON.parse(readFileSync(join(root, "test/agents/reports", `${agent}.json`), "utf8")) as AgentReport;
}

function installedRow({ events }: Adapter, event: EventName): NativeEvent | undefined {
  return events.find((row) => row.event === event && row.installed !== "never");
}

function pageOf(adapter: Adapter, notice: string): string {
  return [
    notice,
    `# ${adapter.title}`,
    "",
    ...installation(adapter),
    "## What is enforced",
    "",
    "| event | its own name | a denial | rewrites | also |",
    "|---|---|---|---|---|",
    ...adapter.events.filter(({ event }) => event !== "native.unknown").map(eventLine),
    "",
    ...uncovered(adapter),
    "## What degrades",
    "",
    "What the agent cannot be told becomes something it can, and the record says so.",
    "",
    ...degradations(adapter),
    "",
    "## What its hooks depend on",
    "",
    ...protection(adapter),
    "## Proof",
    "",
    ...proof(adapter),
    ...withoutHooks(adapter),
    "## Quirks",
    "",
    "| behaviour | what we do | seen in | by |",
    "|---|---|---|---|",
    ...adapter.quirks.map(
      ({ behaviour, whatWeDo, versions, evidence }) =>
        `| ${cell(behaviour)} | ${cell(whatWeDo)} | ${versions} | ${evidenceWords[evidence]} |`,
    ),
    "",
  ].join("\n");
}

function protection({ settings: { decidingFiles, disablingCommands } }: Adapter): string[] {
  const code = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(", ");
  const commands =
    disablingCommands.length === 0
      ? []
      : [`\`self/agents-without-hooks\` asks before these commands: ${code(disablingCommands)}.`, ""];
  return [
    "With the first rule of a policy, `self/project-rules` asks before one of these files is changed, moved or deleted, or a folder above it:",
    `${code(decidingFiles)}; and where \`swarm install\` has put hooks.`,
    "",
    ...commands,
  ];
}

const evidenceWords = { run: "a run", source: "its source", documentation: "its documentation" } as const;

function installation({ agent, title, settings, trust }: Adapter): string[] {
  const folders = { home: "~", project: ".", env: {} };
  const [user, project] = [settings.file("user", folders), settings.file("project", folders)];
  return [
    "```sh",
    `swarm install ${agent}                   # ${user}`,
    `swarm install ${agent} --scope project   # ${project}`,
    `swarm verify ${agent}`,
    `swarm uninstall ${agent}`,
    "```",
    "",
    ...(trust === null ? [] : [`**Left to you:** ${title} ${trust}.`, ""]),
    "[All agents](../agents.md), and what happens on each call.",
    "",
  ];
}

const denials: Readonly<Record<DenyEffect, string>> = {
  prevents: "it does not happen",
  feedback: "the model reads the reason",
  keeps_working: "the agent goes on",
  ends_run: "the run ends",
  nothing: "no effect",
};

const installedWords: Readonly<Record<NativeEvent["installed"], string>> = {
  always: "",
  when_hooked: "entry only while there is a hook for it",
  when_guarded: "entry only while there is a guard for it",
  never: "no entry of ours; judged if it is called",
};

function eventLine(row: NativeEvent): string {
  const { native, event, deny, rewrites, verdicts, takesContext, takesStop, maxTimeoutS, installed } = row;
  const also = [
    ...verdicts.filter((verdict) => verdict !== "deny").map((verdict) => `\`${verdict}\``),
    takesContext ? "context" : "",
    takesStop ? "end of the run" : "",
    maxTimeoutS === null ? "" : `waits ${maxTimeoutS} s at most`,
    installedWords[installed],
  ].filter((word) => word !== "");
  const cells = [`\`${event}\``, `\`${native}\``, denials[deny], codes(rewrites), also.join(", ") || "–"];
  return `| ${cells.join(" | ")} |`;
}

function uncovered({ events }: Adapter): string[] {
  const known = new Set(events.filter(({ event }) => event !== "native.unknown").map(({ native }) => native));
  const others = events.filter(({ native }) => !known.has(native)).map(({ native }) => native);
  if (others.length === 0) return [];
  return [`It also has ${codes(others)}, for which there is no event here: nothing is installed there.`, ""];
}

/** The rules of src/agents/adapters/degrade.ts, applied to what each event takes. */
function degradations(adapter: Adapter): string[] {
  const rows = adapter.events.filter(
    ({ event, installed }) => event !== "native.unknown" && installed !== "never",
  );
  const at = (fitting: readonly NativeEvent[]) => codes([...new Set(fitting.map(({ native }) => native))]);
  const isRead = ({ deny }: NativeEvent) => deny === "feedback" || deny === "keeps_working";
  const isRefusing = ({ deny }: NativeEvent) => deny === "prevents" || deny === "feedback";
  const lists: readonly (readonly [(row: NativeEvent) => boolean, string])[] = [
    [
      (row) => isUntold(row, "ask"),
      "**ask** waits for `swarm approvals` as long as `wait_s` says, then becomes a denial that names the approval",
    ],
    [(row) => isUntold(row, "defer"), "**defer** becomes a denial that says so"],
    [
      (row) => row.event === "tool.before" && !row.verdicts.includes("allow"),
      "**allow** grants nothing, and is not sent",
    ],
    [
      (row) => lost(row).length > 0 && isRefusing(row),
      "**a rewrite** becomes a denial with the suggestion in its reason",
    ],
    [(row) => row.rewriteNeedsAllow, "**a rewrite** is taken only together with an allow of a hook"],
    [(row) => lost(row).length > 0 && !isRefusing(row), "**a rewrite** is recorded, and lost"],
    [(row) => !row.takesStop && isRefusing(row), "**the end of the run** becomes a denial"],
    [
      (row) => row.actsBeforeStop,
      "**the end of the run** is a denial as well, because the action would still happen",
    ],
    [(row) => !row.takesStop && !isRefusing(row), "**the end of the run** is recorded, and lost"],
    [
      (row) => !row.takesContext && isRead(row),
      "**context** is told within the reason of a denial, and is lost without one",
    ],
    [(row) => !row.takesContext && !isRead(row), "**context** is recorded, and does not reach the model"],
    [({ deny }) => deny === "nothing", "**a denial** is recorded as without effect"],
  ];
  return lists.flatMap(([isFitting, what]) => {
    const fitting = rows.filter(isFitting);
    return fitting.length === 0 ? [] : [`- ${what}: ${at(fitting)}`];
  });
}

function isUntold({ event, verdicts }: NativeEvent, verdict: ExtraVerdict): boolean {
  return rowOf(event).verdicts.includes(verdict) && !verdicts.includes(verdict);
}

/** Fields hooks may rewrite at the event, and this agent's event does not take: those it has, that is. */
function lost({ event, rewrites }: NativeEvent): string[] {
  const its = ["tool_input", "tool_output", "prompt", "preserve", "system_prompt"];
  return rewritableFields(rowOf(event)).filter((field) => its.includes(field) && !rewrites.includes(field));
}

function proof({ agent }: Adapter): string[] {
  const profile = agentPrograms[agent];
  if ("unprovable" in profile) return [`\`swarm verify ${agent}\` says: ${profile.unprovable}.`, ""];
  const report = reportOf(agent);
  return [
    `\`swarm verify ${agent}\`, with version ${report.version}: **${report.verdict}**. [What each check is](../verify.md).`,
    "",
    "| check | result | what was seen |",
    "|---|---|---|",
    ...report.checks.map(
      ({ check, result, evidence }) => `| \`${check}\` | ${result.replace("_", " ")} | ${cell(evidence)} |`,
    ),
    "",
  ];
}

/** What no verification sees, and no settings file can forbid. */
function withoutHooks({ title, bypasses }: Adapter): string[] {
  if (bypasses.length === 0) return [];
  return [
    "## Runs without our hooks",
    "",
    `A run of ${title} that is started with one of these does without them, whatever its settings say. \`swarm verify\` cannot see how`,
    "other runs are started. `swarm doctor` and `swarm status` name processes of yours that run with one of them, where there is a /proc.",
    "",
    "| flag or variable | what it does | by |",
    "|---|---|---|",
    ...bypasses.map(
      ({ example, effect, evidence }) =>
        `| \`${cell(example)}\` | ${cell(effect)} | ${evidenceWords[evidence]} |`,
    ),
    "",
  ];
}

/** Markdown takes a bare `|` for the end of the cell, `*` for emphasis, and `<` for HTML. */
function cell(text: string): string {
  return text.replaceAll(/[|*<]/g, "\\$&").replaceAll("\n", " ");
}

function codes(words: readonly string[]): string {
  return words.length === 0 ? "–" : words.map((word) => `\`${word}\``).join(", ");
}
