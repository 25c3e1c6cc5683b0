import { cut } from "../../base/show.ts";
import { visible } from "../../base/visible.ts";
import { type Change, changes, type Finding, type FindingGroup, type ScanReport } from "../../scan/report.ts";
import { numbered } from "../../scan/summary.ts";
import { type Style, style } from "../style.ts";
import { table } from "../table.ts";

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
            : changes.flatMap((change) => changeText(change, report, isWhole))),
        ];
  const notes = [...unreadLines(report), ...(page === null ? [] : [`wrote ${visible(page)}`])];
  return `${[...parts, ...notes].join("\n")}\n`;
}

function nothingLine({ agents, looked_in, older_files, since }: ScanReport): string {
  const older = older_files === 0 ? "" : `; ${numbered(older_files, "older transcript")}: --since all`;
  if (agents.length > 0)
    return visible(`no tool calls in ${numbered(filesOf(agents), "transcript")}${older}`);
  if (older_files > 0) return visible(`no transcripts since ${since?.slice(0, 10)}${older}`);
  return visible(`no transcripts found: looked in ${looked_in.join(", ")}`);
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

const headings: Readonly<Record<Change, string>> = {
  newly_denied: "newly denied",
  newly_asked: "newly asked about",
  asked_instead_of_denied: "asked about instead of denied",
  newly_let_through: "newly let through",
  newly_allowed: "allowed without the agent asking",
};

function changeText(change: Change, report: ScanReport, isWhole: boolean): string[] {
  const groups = report.groups.filter((group) => group.change === change);
  if (groups.length === 0) return [];
  const heading = style("bold", `${headings[change]}: ${numbered(report.counts[change], "call")}`);
  return [`\n${heading}`, ...groups.map((group) => groupText(group, report, isWhole))];
}

const verdictStyles: Readonly<Record<FindingGroup["verdict"], Style>> = {
  deny: "red",
  ask: "yellow",
  allow: "green",
  none: "green",
};

function groupText(group: FindingGroup, { findings }: ScanReport, isWhole: boolean): string {
  const { verdict, summary, rule, reason, count } = group;
  const said = style(verdictStyles[verdict], verdict === "none" ? "passes" : verdict);
  const head = `\n${said}  ${style("bold", visible(summary))}  ${visible(rule)}${reason === null ? "" : `: ${visible(reason)}`}`;
  const own = findings.filter((finding) => isOf(finding, group));
  const shown = isWhole ? own : own.slice(0, shownFindings);
  const rest = count - shown.length;
  const unlisted = own.length < count && isWhole ? "" : ": --all";
  const more = rest === 0 ? "" : style("dim", `  ${rest.toLocaleString("en")} more${unlisted}\n`);
  return `${head}\n${table(["  TIME", "AGENT", "SESSION", "IN", "CALL"], shown.map(row))}${more}`.trimEnd();
}

function isOf(finding: Finding, { label, change, verdict, rule }: FindingGroup): boolean {
  const named = finding.rule ?? finding.before?.rule;
  return (
    finding.label === label && finding.change === change && finding.verdict === verdict && named === rule
  );
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

function unreadLines({ unread, not_listed }: ScanReport): string[] {
  const { long_lines, broken_lines, unjudged_calls, not_files, files, files_not_listed } = unread;
  const lines = [
    not_listed > 0 && `${numbered(not_listed, "finding")} beyond the first 10,000 counted, not listed`,
    long_lines > 0 && `${numbered(long_lines, "line")} longer than 4 MB, or of too many values, passed over`,
    broken_lines > 0 && `${numbered(broken_lines, "line")} that cannot be read as JSON passed over`,
    unjudged_calls > 0 && `${numbered(unjudged_calls, "call")} too large or too deep to be judged`,
    not_files > 0 && `${numbered(not_files, "link")} or special files in a transcript's place not followed`,
    ...files.map(({ file, problem }) => `not read: ${file}: ${problem}`),
    files_not_listed > 0 && `not read: ${files_not_listed} more`,
  ];
  const told = lines.filter((line) => line !== false).map((line) => style("yellow", visible(line)));
  return told.length === 0 ? [] : ["", ...told];
}
