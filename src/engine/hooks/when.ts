import { invalidOption } from "../../base/invalid-option.ts";
import { SwarmError } from "../../base/swarm-error.ts";
import { workingDirectory } from "../../base/resolve-path.ts";
import { suggest } from "../../base/suggest.ts";
import { commonTool } from "../events/common-tool.ts";
import { type Decision, isVerdict, type Verdict } from "../events/decision.ts";
import type { Origin } from "../events/envelope.ts";
import { toolPaths } from "../events/tools.ts";
import { compileMatcher } from "./matcher.ts";
import { compilePathGlob } from "./path-glob.ts";

/** Narrows a hook beyond its matcher. Every condition given must hold; values are matchers, `path` is a path glob. */
export interface When {
  readonly agent?: string;
  readonly role?: string;
  readonly path?: string;
  readonly source?: string;
  /** Of observers: what was decided, one of these. */
  readonly verdict?: Verdict | readonly Verdict[];
  /** Argument name of the tool → matcher for its value. */
  readonly args?: Readonly<Record<string, string>>;
}

export type Condition = (
  data: Readonly<Record<string, unknown>>,
  origin: Origin | undefined,
  decision?: Decision,
) => boolean;

export function compileWhen(where: string, when: unknown): Condition {
  if (typeof when === "function") return (data, origin) => isTrue(where, when(data, origin));
  if (typeof when !== "object" || when === null || Array.isArray(when)) {
    throw invalidOption(where, "when", "an object or a function", when);
  }
  const conditions = Object.entries(when).map(([key, value]) => compileCondition(where, key, value));
  return (data, origin, decision) => conditions.every((holds) => holds(data, origin, decision));
}

/** A promise would count as true, and its rejection would be nobody's: a function that is not sure says so by failing. */
function isTrue(where: string, answer: unknown): boolean {
  if (typeof answer === "boolean") return answer;
  if (answer instanceof Promise) answer.catch(() => undefined);
  throw invalidOption(where, "when()", "true or false", answer);
}

/** One entry per key of `When`: how to read the value that the matcher judges. */
const readers: Readonly<
  Record<string, (data: Readonly<Record<string, unknown>>, origin: Origin | undefined) => unknown[]>
> = {
  agent: (data, origin) => [origin?.agent, data.agent_id, data.agent_name, data.agent_type],
  role: (data) => [data.role],
  source: (data, origin) => [origin?.source, data.source],
};

function compileCondition(where: string, key: string, value: unknown): Condition {
  const option = `${where}: when.${key}`;
  const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
  if (read !== undefined) {
    const matcher = compileMatcher(option, value);
    return (data, origin) =>
      read(data, origin).some((found) => typeof found === "string" && matcher.test(found));
  }
  if (key === "path") {
    if (typeof value !== "string") throw invalidOption(where, "when.path", "a path glob", value);
    const matches = compilePathGlob(option, value);
    return (data, origin) => {
      const cwd = origin?.cwd ?? (typeof data.cwd === "string" ? data.cwd : workingDirectory());
      return toolPaths(data.tool_input).some((path) => matches(path, cwd));
    };
  }
  if (key === "args") return compileArguments(where, value);
  if (key === "verdict") return compileVerdict(where, value);
  throw new SwarmError("SWARM_OPTION_UNKNOWN", {
    where,
    option: `when.${key}`,
    suggestion: suggest(key, [...Object.keys(readers), "path", "args", "verdict"]),
  });
}

/** The verdicts a hook is for; null: any. */
export function wantedVerdicts(when: unknown): readonly unknown[] | null {
  if (typeof when !== "object" || when === null || !Object.hasOwn(when, "verdict")) return null;
  return [(when as When).verdict].flat();
}

function compileVerdict(where: string, value: unknown): Condition {
  const wanted = [value].flat();
  if (wanted.length === 0 || !wanted.every(isVerdict))
    throw invalidOption(where, "when.verdict", "none, allow, ask, defer or deny, or a list of them", value);
  return (_data, _origin, decision) => decision !== undefined && wanted.includes(decision.verdict);
}

function compileArguments(where: string, value: unknown): Condition {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidOption(where, "when.args", "an object", value);
  const tests = Object.entries(value).map(([name, pattern]) => {
    const matcher = compileMatcher(`${where}: when.args.${name}`, pattern);
    return (data: Readonly<Record<string, unknown>>, origin: Origin | undefined) =>
      argumentValues(data, name, origin).some(matcher.test);
  });
  return (data, origin) => tests.every((holds) => holds(data, origin));
}

/** Own arguments only, as text: `true`, `42` and each item of a list can be matched, an object cannot. */
function argumentValues(
  data: Readonly<Record<string, unknown>>,
  name: string,
  origin: Origin | undefined,
): string[] {
  const input = data.tool_input;
  if (typeof input !== "object" || input === null) return [];
  const own = Object.hasOwn(input, name) ? [(input as Record<string, unknown>)[name]].flat() : [];
  // A shell's line is `command`, whatever its agent calls it and however it is split into words.
  const line = name === "command" ? commonTool(data, origin)?.command : null;
  return [...own, line ?? []]
    .flat()
    .filter((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    .map(String);
}
