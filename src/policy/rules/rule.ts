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

/** A rule as it was declared. */
export interface Rule {
  readonly id: string;
  readonly when: RuleWhen;
  readonly behaviour: Behaviour;
  readonly reason: string | null;
  /** Among rules of one behaviour the highest is named. */
  readonly priority: number;
}
