import { isDeepStrictEqual } from "node:util";
import { commandOf } from "../../engine/events/tools.ts";
import { type Condition, type ConditionKey, compileCondition } from "./conditions/compile-when.ts";
import type { Facts } from "./facts.ts";
import type { PathNames } from "./files/path-globs.ts";
import type { ConditionValues, RuleException } from "./rule.ts";

/** Whether a rule does not count for an action, although its conditions hold. */
export type Excepts = (facts: Facts) => boolean;

/** Compiles an exception. Its conditions are those of a rule that allows: everything about the action has to be right. */
export function compileException(exception: RuleException, names: PathNames): Excepts {
  const { when, line, input, folder, until } = exception;
  const conditions = Object.entries(when).map(([key, value]) =>
    compileCondition(key as ConditionKey, value as ConditionValues[ConditionKey] as never, "allow", names),
  );
  const untilMs = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
  return (facts) =>
    facts.action.nowMs < untilMs &&
    (folder === null || folder === facts.root.text) &&
    (line === null || isLine(line, facts.action.input)) &&
    (input === null || isDeepStrictEqual(withoutNotes(facts.action.input), withoutNotes(input))) &&
    conditions.every((condition: Condition) => condition(facts) !== false);
}

/** What an agent says of a call beside it, in its own words or about how long to wait: no part of what is done. */
const notes = new Set(["description", "timeout", "timeout_ms", "run_in_background"]);

export function withoutNotes(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !notes.has(name)));
}

/** Exactly this line and no other argument: a folder to run it in, say, would make something else of it. */
function isLine(line: string, input: Readonly<Record<string, unknown>>): boolean {
  return commandOf(input) === line && Object.keys(withoutNotes(input)).length === 1;
}
