/** From the most lenient to the strictest; the strictest of all handlers' verdicts is the decision's. */
export const verdicts = ["none", "allow", "ask", "defer", "deny"] as const;

export type Verdict = (typeof verdicts)[number];

const strictness: Readonly<Record<Verdict, number>> = { none: 0, allow: 1, ask: 2, defer: 3, deny: 4 };

export function isStricter(a: Verdict, b: Verdict): boolean {
  return strictness[a] > strictness[b];
}

export function isVerdict(value: unknown): value is Verdict {
  return typeof value === "string" && Object.hasOwn(strictness, value);
}

/** What all handlers together decided. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** Name of the hook whose verdict it is. */
  readonly hook: string | null;
  /** Texts to add to the model's context, in the order the hooks ran. */
  readonly context: readonly string[];
  /** Why the whole run should end, if a hook asked for that. */
  readonly stop: string | null;
}

/** Shared by every event nobody had an opinion on, which is nearly all of them. */
export const noDecision: Decision = Object.freeze({
  verdict: "none",
  reason: null,
  hook: null,
  context: Object.freeze([]),
  stop: null,
});
