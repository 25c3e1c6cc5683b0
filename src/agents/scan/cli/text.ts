import { cut } from "../../../base/show.ts";
import { visible } from "../../../base/visible.ts";
import {
  type Change,
  changeNames,
  changes,
  type Finding,
  type FindingGroup,
  type ScanReport,
} from "../report.ts";
import { numbered } from "../summary.ts";
import { unreadNotes } from "../unread-notes.ts";
import { type Style, style } from "../../../cli/style.ts";
import { table } from "../../../cli/table.ts";

/** Of each kind; --all has the rest. */
const shownFindings = 5;
const maxCallChars = 120;

/** The report for people. Whatever comes from a transcript cannot steer the terminal or begin a line. */
export function scanText(report: ScanReport, isWhole: boolean, page: string | null): string {
  const { summary, calls, groups, compared_with } = report;
  const parts =
    calls === 0
      ? [nothingLine(report)]
      : [
          style("bold", visible(summary)),
          style("dim", visible(scopeLine(report))),
          ...(compared_with === null
            ? groups.map((group) => groupText(group, report, isWhole))
            : changeNames.flatMap((change) => changeText(change, report, isWhole))),
        ];
  const unread = unreadNotes(report);
  const notes = [
    ...(unread.length === 0 ? [] : [""]),
    ...unread.map((note) => style("yellow", visible(note))),
    ...(page === null ? [] : [`wrote ${visible(page)}`]),
  ];
  return `${[...parts, ...notes].join("\n")}\n`;
}

function nothingLine({ agents, looked_in, older_files, since }: ScanReport): string {
  if (agents.length > 0) return `no tool calls in ${numbered(filesOf(agents), "transcript")}`;
  if (older_files > 0) return `no transcripts since ${since?.slice(0, 10)}: --since all reads older ones`;
  return `no transcripts found: looked in ${visible(looked_in.join(", "))}`;
}

function filesOf(agents: ScanReport["agents"]): number {
  return agents.reduce((sum, { files }) => sum + files, 0);
}

function scopeLine({ calls, agents, policy, compared_with, counts }: ScanReport): string {
  const sessions = agents.reduce((sum, agent) => sum + agent.sessions, 0);
  const whose = agents.map(({ agent, sessions: count }) => `${agent} ${count}`).join(", ");
  const read = `${numbered(calls, "tool call")} in ${numbered(sessions, "session")} (${whose})`;
  if (compared_with !== null) return `${read}; ${policy} compared with ${compared_with}`;
  return `${read}; the ${policy} policy would have denied ${counts.deny} and asked about ${counts.ask}`;
}

function changeText(change: Change, report: ScanReport, isWhole: boolean): string[] {
  const groups = report.groups.filter((group) => group.change === change);
  if (groups.length === 0) return [];
  const heading = style("bold", `${changes[change]}: ${numbered(report.counts[change], "call")}`);
  return [`\n${heading}`, ...groups.map((group) => groupText(group, report, isWhole))];
}

const verdictStyles: Readonly<Record<FindingGroup["verdict"], Style>> = {
  deny: "red",
  ask: "yellow",
  allow: "green",
  none: "green",
};

function groupText(group: FindingGroup, { findings }: ScanReport, isWhole: boolean): string {
  const { id, verdict, summary, rule, reason, count } = group;
  const said = style(verdictStyles[verdict], verdict === "none" ? "passes" : verdict);
  const head = `\n${said}  ${style("bold", visible(summary))}  ${visible(rule)}${reason === null ? "" : `: ${visible(reason)}`}`;
  const own = findings.filter((finding) => finding.group === id);
  const shown = isWhole ? own : own.slice(0, shownFindings);
  const rest = count - shown.length;
  const unlisted = own.length < count && isWhole ? "" : ": --all";
  const more = rest === 0 ? "" : style("dim", `  ${rest.toLocaleString("en")} more${unlisted}\n`);
  return `${head}\n${table(["  TIME", "AGENT", "SESSION", "IN", "CALL"], shown.map(row))}${more}`.trimEnd();
}

function row({ time, agent, session, subagent, cwd, tool, call }: Finding): string[] {
  return [
    `  ${time.slice(0, 16).replace("T", " ")}Z`,
    agent,
    visible(subagent === null ? session : `${session} (subagent)`),
    visible(cwd ?? "-"),
    short(visible(`${tool}: ${call}`)),
  ];
}

function short(text: string): string {
  return text.length <= maxCallChars ? text : `${cut(text, maxCallChars)}…`;
}
