import { idPattern } from "../../base/ids.ts";
import { isVerdict } from "../../engine/events/decision.ts";
import { canonicalByName } from "../../engine/events/names.ts";
import { handlerStatuses, modes } from "../../engine/events/outcome.ts";
import type { RecordedHandler, RunEntry } from "../port/run-event.ts";

type Checks<T> = Readonly<Record<keyof T, (value: unknown) => boolean>>;

const dayMs = 86_400_000;
/** A machine may have been off for long; the clock that made the entry may have been put right since. */
const maxAgeMs = 92 * dayMs;
const maxAheadMs = dayMs;

const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isDuration = (value: unknown): boolean =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
const isOneOf =
  (known: readonly string[]) =>
  (value: unknown): boolean =>
    known.includes(value as string);

const handlerChecks: Checks<RecordedHandler> = {
  name: isText,
  kind: isText,
  mode: isOneOf(modes),
  status: isOneOf(handlerStatuses),
  verdict: isVerdict,
  reason: isTextOrNull,
  ms: isDuration,
  hook_id: isTextOrNull,
  digest: isTextOrNull,
};

/** Only decided events are left to be recorded later: decisions of people, changes and logins never are. */
const entryChecks: Checks<RunEntry> = {
  id: (value) => isText(value) && idPattern.test(value as string),
  time: (value) =>
    isText(value) && isoTime.test(value as string) && Number.isFinite(Date.parse(value as string)),
  kind: isOneOf(["emit"]),
  event: (value) => canonicalByName.get(value as string) === value,
  ref: (value) => value === null,
  actor: isText,
  session: isTextOrNull,
  agent: isTextOrNull,
  task: isTextOrNull,
  cwd: isTextOrNull,
  source: isTextOrNull,
  verdict: isVerdict,
  reason: isTextOrNull,
  hook: isTextOrNull,
  hook_digest: isTextOrNull,
  ms: isDuration,
  outcome: isOneOf(["completed", "denied", "failed"]),
  handlers: (value) => Array.isArray(value) && value.every((each) => problemOf(each, handlerChecks) === null),
  before: isTextOrNull,
  after: isTextOrNull,
};
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Why a value read from a file is no entry to record, or null when it is one. It may be anything. */
export function entryProblem(value: unknown, nowMs: number): string | null {
  const problem = problemOf(value, entryChecks);
  if (problem !== null) return problem;
  const ageMs = nowMs - Date.parse((value as RunEntry).time);
  return ageMs > maxAgeMs || ageMs < -maxAheadMs ? "its time is not of these days" : null;
}

/** Undefined when it is no JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function problemOf<T extends object>(value: unknown, checks: Checks<T>): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is no object";
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) return "it has a field that entries do not have";
  for (const [name, isValid] of Object.entries(checks) as [string, (value: unknown) => boolean][])
    if (!Object.hasOwn(value, name) || !isValid((value as Record<string, unknown>)[name]))
      return `its ${name} is missing or no ${name} of an entry`;
  return null;
}
