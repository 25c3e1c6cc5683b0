import type { SourcedRule } from "../../config/policy/policy-config.ts";
import { commandOf } from "../../engine/events/tools.ts";
import type { Action } from "./action.ts";
import type { Place } from "./detect/place.ts";
import { compileException, withoutNotes } from "./exception.ts";
import type { PathNames } from "./files/path-globs.ts";
import { makePolicy } from "./policy.ts";
import type { RuleException } from "./rule.ts";

/** An exception as it is written into a file: what is not given is left out. */
export type WrittenException = Readonly<Record<string, unknown>> & { readonly rule: string };

export interface Narrowing {
  readonly rules: readonly SourcedRule[];
  readonly action: Action;
  readonly place: Place;
  readonly names: PathNames;
  /** The tool the exception is for; default exactly the one of the action. */
  readonly tool?: string;
  /** ISO 8601. */
  readonly until: string;
  readonly reason: string;
}

/** More rules than this never refuse one call. */
const maxExceptions = 20;

/** The narrowest exceptions by which an action is no longer refused, one for each rule that refuses it now. */
export function narrowExceptions(given: Narrowing): WrittenException[] {
  const { rules, action, place, names, until, reason } = given;
  const exact = exactConditions(action, place, given.tool ?? exactMatcher(action.name));
  const exception: RuleException = {
    when: { tool: exact.tool },
    line: null,
    input: null,
    ...exact,
    until,
    reason,
  };
  const excepts = compileException(exception, names);
  const excepted = new Set<string>();
  for (let count = 0; count < maxExceptions; count++) {
    const tried = rules.map((rule) =>
      excepted.has(rule.rule.id) ? { ...rule, excepts: [...(rule.excepts ?? []), excepts] } : rule,
    );
    const judged = makePolicy(tried, "").judge(action, place);
    if (judged === null || judged.behaviour === "allow") break;
    // It would be asked about again and again: an exception that does not hold for what it was made of.
    if (excepted.has(judged.rule.id)) return [];
    excepted.add(judged.rule.id);
  }
  return [...excepted].map((rule) => ({ rule, ...exact, until, reason }));
}

/** This tool with these arguments in this project, and nothing else. */
function exactConditions(
  { input }: Action,
  { root, cwd }: Place,
  tool: string,
): { readonly tool: string; readonly folder: string } & Partial<Pick<RuleException, "line" | "input">> {
  const folder = root ?? cwd;
  const given = withoutNotes(input);
  const line = commandOf(input);
  const isLineAlone = line !== null && Object.keys(given).length === 1;
  return { tool, ...(isLineAlone ? { line } : { input: given }), folder };
}

/** A matcher for one name, whatever characters it has. */
function exactMatcher(name: string): string {
  if (/^[\w.:-]+$/.test(name)) return name;
  return `/^${name.replaceAll(/[\\/.*+?^${}()|[\]]/g, "\\$&")}$/`;
}
