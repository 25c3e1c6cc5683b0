import type { DetectorName } from "./detect/detectors.ts";

export const behaviours = ["allow", "deny", "ask"] as const;
export type Behaviour = (typeof behaviours)[number];

/** A matcher, or several of which one has to fit. */
type OneOrMore = string | readonly string[];

/** What each condition of a rule is written with; one of a list's values is enough for it to hold. */
export interface ConditionValues {
  /** Events of `judgedEvents`; any when left out. */
  readonly event: OneOrMore;
  /** A tool's own name, or the common one: `shell`, `mcp:github/*`. */
  readonly tool: OneOrMore;
  /** `shell`, `custom` …; see `Action`. */
  readonly kind: OneOrMore;
  readonly name: OneOrMore;
  readonly agent: OneOrMore;
  readonly role: OneOrMore;
  /** For any text among the arguments, or argument → matcher. */
  readonly args_pattern: string | Readonly<Record<string, string>>;
  readonly path: readonly string[];
  readonly write_path: readonly string[];
  /** Like `write_path`, with the folders above and every command that is not known to only read. */
  readonly change_path: readonly string[];
  readonly command: readonly string[];
  readonly detect: readonly DetectorName[];
  readonly time_window: readonly string[];
}

/** When a rule applies: every condition that is given must hold. */
export type RuleWhen = Readonly<Partial<ConditionValues>>;

/** What a rule does where it applies: `warn` says what it would have said, `shadow` only has it recorded. */
export const ruleModes = ["enforce", "warn", "shadow"] as const;
export type RuleMode = (typeof ruleModes)[number];

/** Where a rule does not count. Every part that is given must hold; null: not given. */
export interface RuleException {
  readonly when: RuleWhen;
  /** Exactly this shell line, given to a tool that is told nothing else. */
  readonly line: string | null;
  /** Exactly these arguments. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** In this project alone: its folder. */
  readonly folder: string | null;
  /** Up to this time, ISO 8601. */
  readonly until: string | null;
  readonly reason: string | null;
}

/** A rule as it was declared. */
export interface Rule {
  readonly id: string;
  readonly when: RuleWhen;
  readonly behaviour: Behaviour;
  readonly reason: string | null;
  /** Among rules of one behaviour the highest is named. */
  readonly priority: number;
  /** Absent: `enforce`. */
  readonly mode?: RuleMode;
  /** Absent: none. */
  readonly except?: readonly RuleException[];
}
