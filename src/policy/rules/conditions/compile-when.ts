import { SwarmError } from "../../../base/errors.ts";
import { show } from "../../../base/show.ts";
import { suggest } from "../../../base/suggest.ts";
import { mayMatchTool, surelyMatchesTool } from "../../../engine/hooks/match-tool.ts";
import { compileMatcher, type Matcher } from "../../../engine/hooks/matcher.ts";
import { type Action, judgedEvents } from "../action.ts";
import { tooManyArguments } from "../arguments/read-arguments.ts";
import { type Detector, detectors } from "../detect/detectors.ts";
import type { Facts } from "../facts.ts";
import { PathGlobs, type PathNames } from "../files/path-globs.ts";
import type { PathText } from "../files/path-text.ts";
import type { Behaviour, ConditionValues } from "../rule.ts";
import { shown } from "../../shell/marks.ts";
import { compileChangePath, isGlob } from "./change-path.ts";
import { commandFinder, compileCommandPattern, coversLine } from "./command-pattern.ts";
import { compileTimeWindow } from "./time-window.ts";

/** What a condition found, in words; true when there is nothing to add; false when it does not hold. */
export type Condition = (facts: Facts) => string | boolean;

export type ConditionKey = keyof ConditionValues;

/** Compiles one condition of a rule of this behaviour. A bad pattern is a `SwarmError`. */
export function compileCondition<K extends ConditionKey>(
  key: K,
  value: ConditionValues[K],
  behaviour: Behaviour,
  names: PathNames,
): Condition {
  // A rule that forbids looks for one thing that is wrong; one that allows, whether all is right.
  const compile: Compile<ConditionValues[K]> = compilers[key];
  return compile(value, `when.${key}`, { isStrict: behaviour !== "allow", names });
}

interface Compiler {
  readonly isStrict: boolean;
  readonly names: PathNames;
}

type Compile<V> = (value: V, where: string, compiler: Compiler) => Condition;
type Compilers = { readonly [K in ConditionKey]: Compile<ConditionValues[K]> };

const compilers: Compilers = {
  event: (value, where) => {
    for (const pattern of [value].flat()) checkEvent(pattern, where);
    const matcher = compileAny(where, value);
    return ({ action }) => matcher.test(action.event);
  },
  tool: (value, where, { isStrict }) => {
    const matcher = compileAny(where, value);
    return ({ action }) =>
      action.event === "tool.before" && (matcher.test(action.name) || isOfKind(matcher, action, isStrict));
  },
  kind: (value, where, { isStrict }) => {
    const matcher = compileAny(where, value);
    return ({ action }) => isOfKind(matcher, action, isStrict);
  },
  name: (value, where) => {
    const matcher = compileAny(where, value);
    return ({ action }) => matcher.test(action.name);
  },
  agent: (value, where) => {
    const matcher = compileAny(where, value);
    return ({ action }) => action.agents.some((agent) => matcher.test(agent));
  },
  role: (value, where) => {
    const matcher = compileAny(where, value);
    return ({ action }) => isOne(matcher, action.role);
  },
  time_window: (values, where) => {
    const windows = values.map((value) => compileTimeWindow(where, value));
    return ({ action }) => windows.some((holds) => holds(action.nowMs));
  },
  args_pattern: (value, where, { isStrict }) => {
    const test =
      typeof value === "string" ? anyArgument(compileMatcher(where, value)) : namedArguments(value, where);
    // A text that begins well can go on as it likes: what a pattern allows has to be one command.
    return isStrict ? test : (facts) => (facts.line === null || isKnownSingle(facts)) && test(facts);
  },
  command: (values, where, { isStrict }) => {
    const patterns = values.map((value) => compileCommandPattern(where, value));
    const find = commandFinder(patterns);
    if (isStrict) return ({ line }) => line !== null && (find(line) ?? false);
    return ({ line }) => line !== null && coversLine(line, patterns);
  },
  path: (values, where, compiler) => compilePaths(values, where, compiler, false),
  write_path: (values, where, compiler) => compilePaths(values, where, compiler, true),
  // To allow, what is written has to be right: a folder above a file is not the file.
  change_path: (values, where, compiler) =>
    compiler.isStrict
      ? compileChangePath(where, values, compiler.names)
      : compilePaths(values.filter(isGlob), where, compiler, true),
  detect: (values, _where, { names }) => {
    const wanted = values.map((name) => findBy(detectors[name], names));
    return (facts) => {
      for (const find of wanted) {
        const found = find(facts);
        if (found !== null) return found;
      }
      return false;
    };
  },
};

function findBy(detector: Detector, names: PathNames): (facts: Facts) => string | null {
  if ("compile" in detector) return detector.compile(names);
  return ({ line, place }) => (line === null ? null : detector.find(line, place));
}

function checkEvent(pattern: string, where: string): void {
  const matcher = compileMatcher(where, pattern);
  if (judgedEvents.some((event) => matcher.test(event))) return;
  const near = suggest(pattern, judgedEvents);
  const hint = near === undefined ? "" : `, did you mean ${show(near)}?`;
  const problem = `expected one of ${judgedEvents.join(", ")}${hint}`;
  throw new SwarmError("SWARM_MATCHER_INVALID", { where, pattern, problem });
}

/** One matcher for one pattern or several, of which one has to fit. */
function compileAny(where: string, value: string | readonly string[]): Matcher {
  if (typeof value === "string") return compileMatcher(where, value);
  const matchers = value.map((pattern) => compileMatcher(where, pattern));
  return {
    isAlways: matchers.some(({ isAlways }) => isAlways),
    globs: matchers.flatMap(({ globs }) => globs ?? []),
    test: (text) => matchers.some((matcher) => matcher.test(text)),
  };
}

/** What a look at the name tells before what a look at the disk tells. */
export const conditionOrder: readonly ConditionKey[] = [
  "event",
  "tool",
  "kind",
  "name",
  "agent",
  "role",
  "time_window",
  "args_pattern",
  "command",
  "detect",
  "path",
  "write_path",
  "change_path",
];

function isOne(matcher: Matcher, ...values: readonly (string | null)[]): boolean {
  return values.some((value) => value !== null && matcher.test(value));
}

/** To forbid, one of the things a tool may be is enough; to allow, it has to be right whichever of them it is. */
function isOfKind(matcher: Matcher, { kind, readings, isLikeShell }: Action, isStrict: boolean): boolean {
  if (readings === undefined) return isOne(matcher, kind);
  if (!isStrict) return surelyMatchesTool(matcher, readings);
  return (
    readings.some((reading) => mayMatchTool(matcher, reading)) ||
    (isLikeShell === true && matcher.test("shell"))
  );
}

function isKnownSingle({ line }: Facts): boolean {
  return line?.isSingle === true && line.opaque.length === 0;
}

function anyArgument(matcher: Matcher): Condition {
  return ({ texts }) => texts.some((text) => matcher.test(text));
}

function namedArguments(patterns: Readonly<Record<string, string>>, where: string): Condition {
  const tests = Object.entries(patterns).map(([name, pattern]) => {
    const matcher = compileMatcher(`${where}.${name}`, pattern);
    return ({ input }: Action) =>
      Object.hasOwn(input, name) &&
      [input[name]].flat().some((value) => isText(value) && matcher.test(String(value)));
  });
  return ({ action }) => tests.every((test) => test(action));
}

function isText(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/**
 * To forbid, one file under any of its names is enough; to allow, every file has to be right under both. `!glob` takes
 * files out again, by their full names: a pattern the shell will expand may stand for others too.
 */
function compilePaths(
  values: readonly string[],
  where: string,
  { names, isStrict }: Compiler,
  isWritten: boolean,
): Condition {
  const wanted = values.filter((value) => !value.startsWith("!"));
  const globs = new PathGlobs(where, wanted, names, isStrict);
  const others = values.filter((value) => value.startsWith("!")).map((value) => value.slice(1));
  const excluded = new PathGlobs(where, others, names, !isStrict);
  const isRight = (path: PathText, root: PathText) =>
    globs.matches(path, root) && !(path.isPlain && excluded.matches(path, root));
  return ({ files, root, mayNameAny }) => {
    if (mayNameAny) return isStrict ? tooManyArguments : false;
    const concerned = isWritten ? files.filter((file) => file.isWritten) : files;
    if (isStrict) {
      const found = concerned.find(
        ({ path, realPath }) => isRight(path, root) || (realPath !== null && isRight(realPath, root)),
      );
      return found === undefined ? false : shown(found.path.text);
    }
    return (
      concerned.length > 0 &&
      concerned.every(
        ({ path, realPath }) => isRight(path, root) && (realPath === null || isRight(realPath, root)),
      )
    );
  };
}
