import type { Behaviour } from "../../policy/rules/rule.ts";
import type { ScannedAgent } from "../port/agents.ts";

/** What a policy says of a call; `none`: nothing, the agent does as it would without. */
export type ScanVerdict = Behaviour | "none";

/** How a policy that is tried differs from the one in force, with what people call it. */
export const changes = {
  newly_denied: "newly denied",
  newly_asked: "newly asked about",
  asked_instead_of_denied: "asked about instead of denied",
  newly_let_through: "newly let through",
  newly_allowed: "allowed without the agent asking",
} as const;
export type Change = keyof typeof changes;
export const changeNames = Object.keys(changes) as readonly Change[];

export interface Said {
  readonly verdict: ScanVerdict;
  readonly rule: string | null;
  readonly reason: string | null;
}

/** One call that would not simply have happened; or, when a policy is tried, of which it says something else. */
export interface Finding extends Said {
  /** ISO; where the transcript has none, when it was last written. */
  readonly time: string;
  readonly agent: ScannedAgent;
  readonly session: string;
  readonly subagent: string | null;
  readonly cwd: string | null;
  readonly tool: string;
  /** What it would have done: the command, or the tool's arguments. Secrets are replaced. */
  readonly call: string;
  /** The `id` of its group. */
  readonly group: number;
  /** The transcript. */
  readonly file: string;
  readonly change: Change | null;
  /** What is in force says this of it; null when nothing is compared. */
  readonly before: Said | null;
}

/** Findings of one kind. */
export interface FindingGroup {
  readonly id: number;
  /** What one of them is: `force-push`. */
  readonly label: string;
  /** With the number: `4 force-pushes`. */
  readonly summary: string;
  readonly count: number;
  readonly verdict: ScanVerdict;
  /** The rule that says so; that of the policy in force, where the tried one says nothing. */
  readonly rule: string;
  /** The rule's own reason. */
  readonly reason: string | null;
  readonly change: Change | null;
}

export interface AgentCounts {
  readonly agent: ScannedAgent;
  readonly files: number;
  readonly sessions: number;
  readonly calls: number;
}

/** What `--json` prints. Fields may be added; none is renamed or removed without a new `version`. */
export interface ScanReport {
  readonly version: 1;
  /** One sentence. */
  readonly summary: string;
  readonly since: string | null;
  readonly until: string;
  /** `starter`, or a file. */
  readonly policy: string;
  /** What it is compared with: `starter`, or the user's configuration; null: nothing. */
  readonly compared_with: string | null;
  /** Folders that were looked into, whether they are there or not. */
  readonly looked_in: readonly string[];
  readonly agents: readonly AgentCounts[];
  /** Transcripts that were last written before the period. */
  readonly older_files: number;
  readonly calls: number;
  readonly counts: Readonly<Record<"deny" | "ask", number>> & Readonly<Record<Change, number>>;
  readonly groups: readonly FindingGroup[];
  /** The newest first; of very many only some, see `not_listed`. */
  readonly findings: readonly Finding[];
  readonly not_listed: number;
  /** What could not be read, and so is not in the numbers above. */
  readonly unread: {
    /** Lines longer, or of more values, than are parsed. */
    readonly long_lines: number;
    /** Lines that are no JSON object; the last one of a session under way may be one. */
    readonly broken_lines: number;
    /** Calls whose arguments are larger or deeper than any agent's. */
    readonly unjudged_calls: number;
    /** Links, pipes and the like in a transcript's place. */
    readonly not_files: number;
    readonly files: readonly { readonly file: string; readonly problem: string }[];
    readonly files_not_listed: number;
  };
}
