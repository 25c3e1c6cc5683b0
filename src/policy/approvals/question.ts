import { hash } from "node:crypto";
import { canonicalJson } from "../../base/canonical-json.ts";
import { redact } from "../../base/redact.ts";
import type { Origin } from "../../engine/events/envelope.ts";
import { type EventName, rowOf } from "../../engine/events/names.ts";
import { actionOf } from "../rules/action.ts";

/** What a person is asked. */
export interface Question {
  readonly event: EventName;
  readonly kind: string | null;
  readonly name: string;
  /** What would be done, after all rewrites. */
  readonly input: unknown;
  /** Whose rule or hook asks. */
  readonly rule: string | null;
  readonly reason: string | null;
  readonly actor: string;
  readonly origin: Origin;
}

/** Events whose `ask` becomes an approval: all that take one, but that by which a host asks itself. */
export function isAskedOf(event: EventName): boolean {
  return event !== "permission.request" && (rowOf(event).verdicts as readonly string[]).includes("ask");
}

export function questionOf(
  event: EventName,
  data: Readonly<Record<string, unknown>>,
  rest: Pick<Question, "rule" | "reason" | "actor" | "origin">,
): Question {
  const action = actionOf(event, data, rest.origin, 0);
  if (action !== null) {
    const { kind, name, input } = action;
    return { event, kind, name, input: kind === "shell" ? withoutDescription(input) : input, ...rest };
  }
  const named = rowOf(event).matches;
  const name = named === null ? event : data[named];
  return { event, kind: null, name: typeof name === "string" ? name : event, input: data, ...rest };
}

/** What the agent tells its user of a command is no part of it, and is worded anew on every try. */
function withoutDescription(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { description: _description, ...rest } = input;
  return rest;
}

/**
 * Of exactly what was asked: what, with which arguments, where and by whom. The session is not part of it: without somebody
 * at the screen the retry after an approval is often a session of its own.
 */
export function digestOf({ event, kind, name, input, origin }: Question): string {
  const { cwd = null, agent = null, source = null, task = null } = origin;
  return hash("sha256", canonicalJson([event, kind, name, input, cwd, agent, source, task]), "hex");
}

/** For whoever decides and for the record: secrets are replaced. */
export function subjectText({ event, kind, name, input, origin }: Question): string {
  const { cwd, agent, source, task, session } = origin;
  return JSON.stringify(redact({ event, kind, name, input, cwd, agent, source, task, session }));
}
