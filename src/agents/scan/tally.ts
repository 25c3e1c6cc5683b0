import { redact } from "../../base/redact.ts";
import { commonTool } from "../../engine/events/common-tool.ts";
import type { Judgement } from "../../policy/rules/policy.ts";
import { type Label, labelOf, ruleLabel } from "./labels.ts";
import type { ReplayedCall } from "./replay.ts";
import type { AgentCounts, Change, Finding, FindingGroup, Said, ScanReport } from "./report.ts";
import { Seen } from "./seen.ts";
import { shortText } from "./short-text.ts";
import type { RecordedCall, TranscriptFile } from "./transcripts/reader.ts";
import { type ScannedAgent, scannedAgents } from "../port/agents.ts";

/** Findings kept with all they say, at most some 2 kB each; beyond that only a few of each group, the others are counted. */
const maxFindings = 10_000;
const fewFindings = 20;
/** Names of files come from outside; beyond this many, findings are grouped by their rule. */
const maxGroups = 500;
const maxCallChars = 1_000;
const maxNameChars = 200;

/** What a call was found to be. */
export interface Judged {
  readonly file: TranscriptFile;
  readonly call: RecordedCall;
  readonly timeMs: number;
  readonly replayed: ReplayedCall;
  /** Of the policy that is tried. */
  readonly said: Judgement | null;
  /** Of the policy in force, where there is a comparison. */
  readonly before: Judgement | null | undefined;
  readonly change: Change | null;
}

interface Group extends Omit<FindingGroup, "summary" | "count"> {
  readonly name: Label;
  count: number;
}

/** Adds up what was found, in bounded memory. */
export class Tally {
  readonly #agents = new Map<ScannedAgent, { files: number; sessions: number; calls: number }>();
  readonly #sessions = new Seen();
  readonly #groups = new Map<string, Group>();
  readonly #findings: Finding[] = [];
  readonly counts = {
    deny: 0,
    ask: 0,
    newly_denied: 0,
    newly_asked: 0,
    asked_instead_of_denied: 0,
    newly_let_through: 0,
    newly_allowed: 0,
  };
  #notListed = 0;

  addFile({ agent }: TranscriptFile): void {
    this.#countsOf(agent).files += 1;
  }

  addCall(agent: ScannedAgent, session: string): void {
    const counts = this.#countsOf(agent);
    counts.calls += 1;
    if (this.#sessions.isNew(agent, session)) counts.sessions += 1;
  }

  addFinding(judged: Judged): void {
    const { said, before, change } = judged;
    const isStopped = said?.behaviour === "deny" || said?.behaviour === "ask";
    if (isStopped) this.counts[said.behaviour] += 1;
    if (change !== null) this.counts[change] += 1;
    const telling = said ?? before ?? null;
    // In a comparison it is what changes that counts.
    const isFinding = before === undefined ? isStopped : change !== null;
    if (!isFinding || telling === null) return;
    const group = this.#groupOf(judged, telling);
    group.count += 1;
    if (this.#findings.length < maxFindings || group.count <= fewFindings)
      this.#findings.push(findingOf(judged, group.id));
    else this.#notListed += 1;
  }

  result(): Pick<ScanReport, "agents" | "calls" | "counts" | "groups" | "findings" | "not_listed"> {
    const agents: AgentCounts[] = scannedAgents.flatMap((agent) => {
      const counts = this.#agents.get(agent);
      return counts === undefined ? [] : { agent, ...counts };
    });
    return {
      agents,
      calls: agents.reduce((sum, { calls }) => sum + calls, 0),
      counts: this.counts,
      groups: [...this.#groups.values()].toSorted(bySeverity).map(({ name, ...group }) => ({
        ...group,
        summary: `${group.count.toLocaleString("en")} ${group.count === 1 ? name.one : name.many}`,
      })),
      findings: this.#findings.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)),
      not_listed: this.#notListed,
    };
  }

  #countsOf(agent: ScannedAgent) {
    let counts = this.#agents.get(agent);
    if (counts === undefined) {
      counts = { files: 0, sessions: 0, calls: 0 };
      this.#agents.set(agent, counts);
    }
    return counts;
  }

  #groupOf({ said, change, replayed: { action, place } }: Judged, telling: Judgement): Group {
    const { rule } = telling;
    const keyOf = (name: Label) => JSON.stringify([change, said?.behaviour, rule.id, name.one]);
    let name = labelOf(telling, action, place);
    if (!this.#groups.has(keyOf(name)) && this.#groups.size >= maxGroups) name = ruleLabel(rule);
    const known = this.#groups.get(keyOf(name));
    if (known !== undefined) return known;
    const group: Group = {
      id: this.#groups.size + 1,
      name,
      label: name.one,
      verdict: said?.behaviour ?? "none",
      rule: rule.id,
      reason: rule.reason,
      change,
      count: 0,
    };
    this.#groups.set(keyOf(name), group);
    return group;
  }
}

function findingOf({ file, call, timeMs, said, before, change }: Judged, group: number): Finding {
  return {
    time: new Date(timeMs).toISOString(),
    agent: file.agent,
    session: shortText(call.session, maxNameChars),
    subagent: call.subagent === null ? null : shortText(call.subagent, maxNameChars),
    cwd: call.cwd === null ? null : shortText(call.cwd, maxNameChars),
    tool: shortText(call.tool, maxNameChars),
    call: callText(call),
    group,
    ...saidBy(said),
    file: file.path,
    change,
    before: before === undefined ? null : saidBy(before),
  };
}

function saidBy(judgement: Judgement | null): Said {
  if (judgement === null) return { verdict: "none", rule: null, reason: null };
  const { behaviour: verdict, rule, reason } = judgement;
  return { verdict, rule: rule.id, reason: shortText(reason, maxCallChars) };
}

/** The command, or the file, or all of the arguments. */
function callText({ tool, input }: RecordedCall): string {
  const known = commonTool({ tool_name: tool, tool_input: input });
  const text = known?.command ?? known?.path ?? JSON.stringify(redact(input)) ?? "";
  return shortText(text, maxCallChars);
}

const order: Readonly<Record<FindingGroup["verdict"], number>> = { deny: 0, ask: 1, allow: 2, none: 3 };

function bySeverity(a: Group, b: Group): number {
  return order[a.verdict] - order[b.verdict] || b.count - a.count || (a.label < b.label ? -1 : 1);
}
