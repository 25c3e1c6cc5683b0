import type { Verdict } from "./decision.ts";
import type { AnyEventName, Canonical, Catalog, Payload, PayloadInput } from "./names.ts";

/** Only for the compiler: the keys of a rewrite, so that one key too many does not slip through. */
declare const rewriteKeys: unique symbol;

/**
 * What a handler may answer, as the helpers below make it. A class, so that the engine knows its own answers by
 * their constructor and spares them the checks a foreign object needs.
 */
export class Answer<V extends Verdict = Verdict, R extends object = object> {
  readonly verdict: V | undefined;
  readonly reason: string | undefined;
  readonly rewrite: R | undefined;
  readonly context: string | undefined;
  readonly stop: string | undefined;
  /** In whose name, where a hook stands for several: the decision names it in place of the hook. */
  readonly by: string | undefined;
  declare readonly [rewriteKeys]?: [R] extends [never] ? never : keyof R;

  constructor(
    verdict: V | undefined,
    reason: string | undefined,
    rewrite: R | undefined,
    context: string | undefined,
    stop: string | undefined,
    by?: string,
  ) {
    this.verdict = verdict;
    this.reason = reason;
    this.rewrite = rewrite;
    this.context = context;
    this.stop = stop;
    this.by = by;
  }
}

/** Frozen, because everyone who allows without a reason shares it. */
const plainAllow = Object.freeze(
  new Answer<"allow", never>("allow", undefined, undefined, undefined, undefined),
);

/** The action may go ahead. Never overrides another hook's denial. */
export function allow(reason?: string): Answer<"allow", never> {
  return reason === undefined
    ? plainAllow
    : new Answer<"allow", never>("allow", reason, undefined, undefined, undefined);
}

/** The action must not happen. Ends the chain. */
export function deny(reason: string): Answer<"deny", never> {
  return new Answer<"deny", never>("deny", reason, undefined, undefined, undefined);
}

/** A person must decide. */
export function ask(reason?: string): Answer<"ask", never> {
  return new Answer<"ask", never>("ask", reason, undefined, undefined, undefined);
}

/** The action waits until the host takes it up again. */
export function defer(reason?: string): Answer<"defer", never> {
  return new Answer<"defer", never>("defer", reason, undefined, undefined, undefined);
}

/** Replaces the fields it names. */
export function rewrite<R extends object>(fields: R): Answer<never, R> {
  return new Answer<never, R>(undefined, undefined, fields, undefined, undefined);
}

/** Adds a text to the model's context. */
export function context(text: string): Answer<never, never> {
  return new Answer<never, never>(undefined, undefined, undefined, text, undefined);
}

/** Asks the host to end the whole run. Does not by itself deny the action at hand. */
export function stop(reason: string): Answer<never, never> {
  return new Answer<never, never>(undefined, undefined, undefined, undefined, reason);
}

type Row<E extends AnyEventName> = Catalog[Canonical<E>];

/** Verdicts that mean something for an event. */
export type VerdictFor<E extends AnyEventName> = "none" | "allow" | "deny" | Row<E>["verdicts"][number];

type RewritableName<E extends AnyEventName> = Row<E>["rewrites"][number] | "messages" | "context";

/** Fields a handler of an event may rewrite. */
export type RewriteFor<E extends AnyEventName> = {
  readonly [N in RewritableName<E> & keyof Payload<E>]?: PayloadInput<E>[N] | undefined;
} & {
  // Named, because an object literal deep in a union gets away with fields its type merely does not have.
  readonly [N in Exclude<keyof Payload<E>, RewritableName<E>>]?: never;
};

/** The other dialect's names for the same fields. */
export interface FieldDialect {
  readonly tool_input: "arguments";
  readonly tool_output: "result" | "output";
}

type MutationFor<E extends AnyEventName> = RewriteFor<E> & {
  readonly [N in Extract<RewritableName<E>, keyof FieldDialect> as FieldDialect[N]]?:
    | PayloadInput<E>[N & keyof Payload<E>]
    | undefined;
};

interface PlainAnswer<E extends AnyEventName, CanRewrite extends boolean> {
  readonly verdict?: VerdictFor<E> | undefined;
  readonly reason?: string | undefined;
  readonly rewrite?: (CanRewrite extends true ? RewriteFor<E> : never) | undefined;
  readonly context?: string | undefined;
  readonly stop?: string | undefined;
  readonly [rewriteKeys]?: CanRewrite extends true ? RewritableName<E> : never;
}

interface CarryOn<E extends AnyEventName, CanRewrite extends boolean> {
  readonly carry_on: boolean;
  readonly mutation?: (CanRewrite extends true ? MutationFor<E> : never) | undefined;
  readonly reason?: string | undefined;
}

/** Everything a handler of an event may answer, in either dialect; nothing at all is an answer too. */
export type AnswerFor<E extends AnyEventName, CanRewrite extends boolean = true> =
  | PlainAnswer<E, CanRewrite>
  | CarryOn<E, CanRewrite>
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement has type void
  | void;
