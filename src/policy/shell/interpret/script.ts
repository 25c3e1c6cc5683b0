import { dirname, resolve } from "node:path/posix";
import { hasParents, type ShellCommand } from "../command.ts";
import { expandFields } from "../expand/expand.ts";
import { isPlain, marks } from "../marks.ts";
import { parseShell } from "../syntax/parse.ts";
import { ShellSyntaxError } from "../syntax/parse-words.ts";
import type { Compound, List, Pipeline, Script, Stage } from "../syntax/tree.ts";
import {
  addRedirected,
  expandingIn,
  expandRedirects,
  fileReader,
  runReaders,
  runSimple,
} from "./commands.ts";
import type { Folders } from "./folders.ts";
import { roundsOf } from "./rounds.ts";
import type { ReadScript, Run } from "./run.ts";
import type { State } from "./state.ts";
import { joined, noInput, type Stream } from "./stream.ts";

/** Follows commands as text: the line itself, `eval`, `sh -c`. */
export function interpretText(run: Run, text: string, state: State, input: Stream = noInput): Stream {
  if (!run.budget.take("chars", text.length)) return giveUp(run, "it is too long");
  const script = run.scripts.get(text) ?? readScript(text);
  run.scripts.set(text, script);
  return "lists" in script ? interpretScript(run, script, state, input) : giveUp(run, script.problem);
}

function readScript(text: string): ReadScript {
  try {
    return parseShell(text);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    return { problem: `it cannot be read: ${error.message}` };
  }
}

function giveUp(run: Run, why: string): Stream {
  run.opaque.add(why);
  return noInput;
}

/** Follows a script's commands in the order they stand, all ways at every branch. */
export function interpretScript(run: Run, { lists }: Script, state: State, input: Stream): Stream {
  const outputs = lists.map((list, at) => {
    const output = list.isBackground
      ? run.subshell(state, (inside) => interpretList(run, list, inside, input))
      : interpretList(run, list, state, input);
    // Nothing after the last one can tell whether it failed.
    if (at < lists.length - 1) state.folders = state.folders.withFailedChanges();
    return output;
  });
  return joined(outputs);
}

function interpretList(run: Run, list: List, state: State, input: Stream): Stream {
  const { pipelines, joinedBy: operators } = list;
  const outputs: Stream[] = [];
  let begun = state.folders;
  // What follows something that is known to succeed runs in any case.
  for (let at = 0, isSure = true; isSure; at++) {
    begun = state.folders;
    const [pipeline = [], before] = [pipelines[at], run.commands.length];
    outputs.push(interpretPipeline(run, pipeline, state, input));
    isSure = operators[at] === "&&" && hasSucceeded(pipeline, run.commands[before], state);
  }
  const others = pipelines.slice(outputs.length);
  const joinedBy = operators.slice(outputs.length - 1);
  if (others.length === 0) return joined(outputs);
  const ending = run.branch(state, (inside) => {
    let isEnded = false;
    let succeeded: Folders | null = null;
    const { folders } = inside;
    let current = inside;
    for (const [at, pipeline] of others.entries()) {
      const follow = (own: State) => {
        own.hasEnded = false;
        outputs.push(interpretPipeline(run, pipeline, own, input));
        isEnded = own.hasEnded;
      };
      if (joinedBy[at] === "||") {
        succeeded = current.folders;
        // `a && x=1 || b $x`: what stands between may not have run.
        if (at > 0) run.noteBranch();
        // What stands before it may not have run, and it may not itself.
        current = run.isTaken ? inside : state.fork();
        current.folders = succeeded.union(folders);
        run.optional(current, follow);
      } else follow(current);
    }
    inside.folders = current.folders;
    // `a && b || exit`: with more than one `||` something else may come first.
    return isEnded && joinedBy.indexOf("||") === joinedBy.length - 1 ? succeeded : null;
  });
  if (ending !== null) state.folders = ending.withSuccessSince(begun);
  return joined(outputs);
}

/** Whether a pipeline is known to succeed: `mkdir -p a && cd a && …`. */
function hasSucceeded([stage, ...more]: Pipeline, command: ShellCommand | undefined, state: State): boolean {
  if (stage?.kind !== "simple" || more.length > 0) return false;
  if (command === undefined || command.redirects.length > 0) return false;
  const { path, args, cwd } = command;
  if (cwd === null || state.functions.has(path) || state.aliases.has(path)) return false;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const isThere = (name: string) => isPlain(name) && state.isThere(resolve(cwd, name));
  switch (path) {
    case "cd":
      return operands.length === 1 && operands.every(isThere);
    case "mkdir":
      // Without -p it fails where there is one already.
      return hasParents(args) && operands.every((name) => isThere(name) && isThere(dirname(name)));
    default:
      return ["echo", "true", ":"].includes(path);
  }
}

function interpretPipeline(run: Run, stages: Pipeline, state: State, input: Stream): Stream {
  let flowing = input;
  for (const stage of stages) {
    if (!run.budget.take("stages") || !run.budget.takeSteps(1)) {
      return giveUp(run, "it has too many commands");
    }
    const before = flowing;
    const follow = (inside: State) => interpretStage(run, stage, inside, before);
    flowing = stages.length > 1 ? run.stage(state, follow) : follow(state);
  }
  return flowing;
}

export function interpretStage(run: Run, stage: Stage, state: State, input: Stream): Stream {
  switch (stage.kind) {
    case "simple":
      return runSimple(run, stage, state, input);
    case "compound":
      return interpretCompound(run, stage, state, input);
    case "function": {
      const other = run.assigning.depth > 0 ? state.functions.get(stage.name) : undefined;
      state.functions.set(stage.name, other === undefined ? stage.body : either(other, stage.body));
      return noInput;
    }
  }
}

function interpretCompound(run: Run, compound: Compound, state: State, input: Stream): Stream {
  if (compound.isSubshell) {
    const inside = { ...compound, isSubshell: false };
    return run.subshell(state, (own) => interpretCompound(run, inside, own, input));
  }
  const { expanding, substituted, readers } = expandingIn(run, state);
  const written = compound.words.flatMap((word) => expandFields(word, expanding));
  const { redirects, text } = expandRedirects(run, compound.redirects, expanding);
  if (written.length > 0) run.add("", written, state, { input, substituted });
  const from = redirects.findLast(({ operator }) => operator === "<");
  const reading = from === undefined || text !== null ? [] : [fileReader(from.target, state)];
  const given =
    text === null && reading.length === 0 ? input : { commands: [...input.commands, ...reading], text };
  // `for x; do` is over the arguments.
  const isOverArguments = compound.variable !== null && compound.words.length === 0;
  const words = isOverArguments ? (state.positional ?? [marks.unknown]) : written;
  const output = joined(interpretRounds(run, compound, words, state, given));
  if (redirects.length > 0) addRedirected(run, redirects, output, state, substituted);
  return runReaders(run, readers, output, state);
}

function interpretRounds(
  run: Run,
  compound: Compound,
  words: readonly string[],
  state: State,
  input: Stream,
): Stream[] {
  const { variable, isLoop, mayJump } = compound;
  const values = variable === null ? [""] : loopValues(run, words);
  const isCounted =
    variable !== null && words.length > 0 && values.length === words.length && words.every(isPlain);
  // Each round of these runs, from its first command to the last.
  const followed = isCounted && !mayJump ? { ...compound, sureBodies: 1 } : compound;
  const round = (value: string): Stream[] => {
    if (variable !== null) run.assigning.assignRound(state, variable, value);
    return interpretBodies(run, followed, state, input);
  };
  if (variable !== null && mayJump) run.assigning.note(variable, ...values);
  const before = state.folders;
  const outputs = values.flatMap(round);
  if (!isLoop || isCounted) return outputs;
  // Once more, with what the rounds before have changed. `while a; do cd ..; done`: there is no telling how far.
  if (state.folders !== before) state.folders = state.folders.orUnknown();
  return [...outputs, ...round(values.at(-1) ?? marks.unknown)];
}

function interpretBodies(run: Run, { bodies, sureBodies }: Compound, state: State, input: Stream): Stream[] {
  return bodies.map((body, at) => {
    const follow = (inside: State) => interpretScript(run, body, inside, input);
    return at < sureBodies ? follow(state) : run.optional(state, follow);
  });
}

/** Values a loop's variable has, one after the other. */
function loopValues(run: Run, words: readonly string[]): readonly string[] {
  const rounds = words.length === 0 ? [marks.unknown] : roundsOf(words);
  if (rounds === null) run.opaque.add("it goes through too many words");
  return rounds ?? [marks.unknown];
}

/** Makes a function that is one or the other. */
function either(...bodies: readonly Stage[]): Compound {
  const scripts = bodies.map((body) => ({
    lists: [{ pipelines: [[body]], joinedBy: [], isBackground: false }],
  }));
  const nothing = {
    isSubshell: false,
    isLoop: false,
    mayJump: true,
    variable: null,
    words: [],
    redirects: [],
  };
  return { kind: "compound", ...nothing, bodies: scripts, sureBodies: 0 };
}
