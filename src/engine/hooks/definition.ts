import { invalidOption } from "../../base/invalid-option.ts";
import { SwarmError } from "../../base/swarm-error.ts";
import { limits } from "../../base/limits.ts";
import { suggest } from "../../base/suggest.ts";
import type { AnswerFor } from "../events/answer.ts";
import type { Origin } from "../events/envelope.ts";
import { type AnyEventName, type Canonical, type EventName, type Payload, rowOf } from "../events/names.ts";
import { type Mode, modes } from "../events/outcome.ts";
import { shell } from "../events/tool-names.ts";
import type { HookCall } from "./call.ts";
import { always, compileMatcher, type Matcher } from "./matcher.ts";
import { type Condition, compileWhen, type When, wantedVerdicts } from "./when.ts";

/** What may be said about a hook when it is registered. */
export interface HookOptions<E extends AnyEventName = EventName, M extends Mode = Mode> {
  /** Compared with the field the event's row names; default `*`. */
  readonly match?: string | undefined;
  readonly when?: When | ((data: Payload<E>, origin: Origin | undefined) => boolean) | undefined;
  /** Higher runs first; equal ones run in the order they were registered. Default 0. */
  readonly priority?: number | undefined;
  /** Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Unique in the engine; made up when left out. */
  readonly name?: string | undefined;
  readonly plugin?: string | undefined;
  /** What a failure of this hook means for the action. Default `allow`, with a warning. */
  readonly onFailure?: "allow" | "deny" | undefined;
  /** Default `transform`. */
  readonly mode?: M | undefined;
  /** Whether an observer is also told of actions that were denied. Default false. */
  readonly onDenied?: boolean | undefined;
}

/** May rewrite and may deny. */
export type Transform<E extends AnyEventName> = (
  data: Payload<E>,
  call: HookCall<Canonical<E>>,
) => AnswerFor<E> | Promise<AnswerFor<E>>;

/** Judges, and rewrites nothing. */
export type Guard<E extends AnyEventName> = (
  data: Payload<E>,
  call: HookCall<Canonical<E>>,
) => AnswerFor<E, false> | Promise<AnswerFor<E, false>>;

/** Is told; what it returns is ignored. */
export type Observer<E extends AnyEventName> = (data: Payload<E>, call: HookCall<Canonical<E>>) => unknown;

/** A typed handler. What it may answer follows from its event and mode. */
export type Handler<E extends AnyEventName = EventName, M extends Mode = "transform"> = M extends "transform"
  ? Transform<E>
  : M extends "guard"
    ? Guard<E>
    : Observer<E>;

/** A handler as the engine calls it: answers are checked, whatever their type said. */
export type AnyHandler = (data: Readonly<Record<string, unknown>>, call: HookCall) => unknown;

/** A hook as registered: options checked and compiled. */
export interface Hook {
  readonly name: string;
  readonly event: EventName;
  readonly kind: string;
  readonly mode: Mode;
  readonly priority: number;
  /** Registered how many-th: keeps equal priorities in order. */
  readonly sequence: number;
  readonly timeoutMs: number;
  readonly onFailure: "allow" | "deny";
  readonly onDenied: boolean;
  /** An observer that only takes note, and is called as soon as the decision is made: it waits for nothing itself. */
  readonly takesNote: boolean;
  readonly plugin: string | null;
  readonly match: string;
  readonly matcher: Matcher;
  /** Its matcher follows the rules of the file it came from, which know nothing of common names. */
  readonly matchesOwnNamesOnly: boolean;
  /** Whether its matcher is for shells by their common name. */
  readonly isForShell: boolean;
  readonly when: Condition | null;
  /** What the trace says when `when` did not hold. */
  readonly skipReason: string;
  readonly handler: AnyHandler;
  /** Turned off when the hook is removed, so that an event already under way does not call it any more. */
  isActive: boolean;
}

export function defineHook(
  event: EventName,
  options: Readonly<Record<string, unknown>>,
  handler: unknown,
  sequence: number,
  kind = "function",
): Hook {
  const where = typeof options.name === "string" ? `hook ${options.name} on ${event}` : `hook on ${event}`;
  const invalid = (option: string, expected: string, value: unknown) =>
    invalidOption(where, option, expected, value);
  checkOptionNames(where, options, optionNames);

  const {
    match = "*",
    when,
    priority = 0,
    timeoutMs = limits.timeoutMs,
    plugin,
    mode = "transform",
  } = options;
  const { onFailure = "allow", onDenied = false } = options;
  if (typeof handler !== "function") throw invalid("handler", "a function", handler);
  if (typeof priority !== "number" || !Number.isFinite(priority)) {
    throw invalid("priority", "a finite number", priority);
  }
  if (!Number.isInteger(timeoutMs) || Number(timeoutMs) < 1 || Number(timeoutMs) > limits.maxTimeoutMs) {
    throw new SwarmError("SWARM_TIMEOUT_INVALID", { where, value: timeoutMs, max: limits.maxTimeoutMs });
  }
  if (!isMode(mode)) throw invalid("mode", modes.join(" or "), mode);
  if (onFailure !== "allow" && onFailure !== "deny") throw invalid("onFailure", "allow or deny", onFailure);
  if (typeof onDenied !== "boolean") throw invalid("onDenied", "true or false", onDenied);
  if (mode === "observe" && onFailure === "deny") {
    throw invalid("onFailure", "allow, because an observer runs after the decision", onFailure);
  }
  if (mode !== "observe" && onDenied) {
    throw invalid("onDenied", "to be set on observers only", onDenied);
  }
  if (match !== "*" && rowOf(event).matches === null) {
    const problem = `${event} has no field a matcher could read, expected *`;
    throw new SwarmError("SWARM_MATCHER_INVALID", { where, pattern: match, problem });
  }
  if (plugin !== undefined && !isLabel(plugin)) throw invalid("plugin", "a short text", plugin);
  if (options.name !== undefined && !isLabel(options.name))
    throw invalid("name", "a short text", options.name);
  const verdicts = wantedVerdicts(when);
  if (mode !== "observe" && verdicts !== null)
    throw invalid("when.verdict", "to be set on observers only: the others decide it", when);
  const condition = conditionOf(where, options.inert, when);
  const name = options.name ?? madeUpName(event, plugin, handler.name, sequence);
  const matcher = match === "*" ? always : compileMatcher(where, match);
  const matchesOwnNamesOnly = options.matchesOwnNamesOnly === true;
  return {
    name,
    event,
    kind,
    mode,
    priority,
    sequence,
    timeoutMs: Number(timeoutMs),
    onFailure,
    // Whoever asks for denials is called for them.
    onDenied: onDenied || verdicts?.includes("deny") === true,
    takesNote: options.takesNote === true,
    plugin: plugin ?? null,
    match: String(match),
    matcher,
    matchesOwnNamesOnly,
    isForShell: !matchesOwnNamesOnly && matcher.test(shell.name),
    when: condition.when,
    skipReason: condition.skipReason,
    handler: handler as AnyHandler,
    isActive: true,
  };
}

/** A hook that is only listed, and skipped for a reason, stands in the trace of every event it would have been called for. */
function conditionOf(where: string, inert: unknown, when: unknown): Pick<Hook, "when" | "skipReason"> {
  if (typeof inert === "string") return { when: () => false, skipReason: inert };
  return {
    when: when === undefined ? null : compileWhen(where, when),
    skipReason: "its `when` did not hold",
  };
}

const optionNames = [
  "match",
  "when",
  "priority",
  "timeoutMs",
  "name",
  "plugin",
  "onFailure",
  "mode",
  "onDenied",
  "matchesOwnNamesOnly",
  "inert",
  "takesNote",
] as const satisfies (keyof HookOptions | "matchesOwnNamesOnly" | "inert" | "takesNote")[];

/** A misspelt option that is ignored is a guard that is off, so every unknown one is an error. */
export function checkOptionNames(where: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) {
      throw new SwarmError("SWARM_OPTION_UNKNOWN", { where, option, suggestion: suggest(option, known) });
    }
  }
}

function isMode(value: unknown): value is Mode {
  return modes.some((mode) => mode === value);
}

/** Names end up in reasons a model reads and in logs: one line, not endless. */
export function isLabel(value: unknown): value is string {
  return typeof value === "string" && /^[^\p{Cc}\u2028\u2029]{1,128}$/u.test(value);
}

function madeUpName(event: EventName, plugin: unknown, handlerName: unknown, sequence: number): string {
  const owner = typeof plugin === "string" ? `${plugin}/` : "";
  const own = isLabel(handlerName) && handlerName.length <= 40 ? handlerName : event;
  return `${owner}${own}#${sequence}`;
}
