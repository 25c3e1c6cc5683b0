import type { Fields } from "./schema.ts";

/** Part of the tree that raises an event. */
export type Emitter = "adapters" | "swarm" | "permissions" | "cron" | "batch" | "drift" | "hooks" | "runtime";

/** Verdicts beyond `allow` and `deny`, which every event takes. */
export type ExtraVerdict = "ask" | "defer";

/** One event, as the catalogue declares it. */
export interface EventRow<
  F extends Fields = Fields,
  A extends string = string,
  W extends string = string,
  V extends ExtraVerdict = ExtraVerdict,
> {
  /** When it fires. */
  readonly when: string;
  /** Other names configuration files may use for it. */
  readonly aliases: readonly A[];
  readonly payload: F;
  /** The field a matcher is compared with; null: matchers other than `*` are refused. */
  readonly matches: (keyof F & string) | null;
  /** Fields a handler may rewrite, besides `messages` and `context`. */
  readonly rewrites: readonly W[];
  /** Of those, the fields whose objects are merged one level deep instead of replaced. */
  readonly merges: readonly W[];
  readonly verdicts: readonly V[];
  /** What a denial does. */
  readonly deny: string;
  /** `result.status` of a denied outcome, where the caller needs something in place of the action's result. */
  readonly deniedStatus: string | null;
  readonly emitter: Emitter;
}

type RowInput<F extends Fields, A extends string, W extends string, V extends ExtraVerdict> = Pick<
  EventRow<F, A, W, V>,
  "when" | "payload" | "matches" | "deny" | "emitter"
> &
  Partial<EventRow<F, A, W, V>>;

/** Fills in what most rows leave out. The type parameters keep the literal names for the derived types. */
export function event<
  F extends Fields,
  const A extends string = never,
  const W extends keyof F & string = never,
  const V extends ExtraVerdict = never,
>(row: RowInput<F, A, W, V>): EventRow<F, A, W, V> {
  return { aliases: [], rewrites: [], merges: [], verdicts: [], deniedStatus: null, ...row };
}
