import { dirname, resolve } from "node:path/posix";
import { type Ambiguous, Assigning } from "./assign.ts";
import { hasParents, type ShellCommand } from "../command.ts";
import { expandFields } from "../expand/expand.ts";
import type { Folders } from "./folders.ts";
import type { Stream } from "../programs/launchers.ts";
import { isPlain, marks } from "../marks.ts";
import { parseShell } from "../syntax/parse.ts";
import { ShellSyntaxError } from "../syntax/parse-words.ts";
import { roundsOf } from "./rounds.ts";
import { joined, noInput } from "./stream.ts";
import type { Compound, List, Pipeline, Script, Stage } from "../syntax/tree.ts";
import type { ShellState } from "./state.ts";
import { CommandWalk } from "./walk-commands.ts";
import type { Way } from "./exploration.ts";

/** Bounds on one line, whatever it says: a few milliseconds. */
const limits = { steps: 5_000, chars: 1024 * 1024 };

/** Follows a line's commands in the order they stand, all ways at every branch. */
export class Walk extends CommandWalk {
  protected readonly assigning: Assigning;
  readonly #branchEnds: Way["branchEnds"];
  /** How many commands there were when the first branch ended; null: there was none. */
  #commandsAtBranch: number | null = null;
  #hasBranches = false;
  #chars = 0;
  #steps = 0;

  constructor(ambiguous: Ambiguous, { branchEnds, reading }: Way) {
    super();
    this.assigning = new Assigning(ambiguous, reading, this.opaque);
    this.#branchEnds = branchEnds;
  }

  get ambiguous(): Ambiguous {
    return this.assigning.ambiguous;
  }

  get hasBranches(): boolean {
    return this.#hasBranches;
  }

  /** Variables the line gives a value somewhere. */
  get assigned(): ReadonlySet<string> {
    return this.assigning.names;
  }

  /** Whether anything comes after a branch: if not, it makes no difference how that ends. */
  get goesOnAfterBranch(): boolean {
    return this.#commandsAtBranch !== null && this.commands.length > this.#commandsAtBranch;
  }

  /** Commands as text: the line itself, `eval`, `sh -c`. */
  text(text: string, state: ShellState, input: Stream = noInput): Stream {
    this.#chars += text.length;
    if (this.#chars > limits.chars) return this.#giveUp("it is too long");
    let script: Script;
    try {
      script = parseShell(text);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      return this.#giveUp(`it cannot be read: ${error.message}`);
    }
    return this.script(script, state, input);
  }

  #giveUp(why: string): Stream {
    this.opaque.add(why);
    return noInput;
  }

  protected script({ lists }: Script, state: ShellState, input: Stream): Stream {
    const outputs = lists.map((list, at) => {
      const output = list.isBackground
        ? this.apart(state, (inside) => this.#list(list, inside, input))
        : this.#list(list, state, input);
      // Whether the last one fails is for whoever has it run to see.
      if (at < lists.length - 1) state.folders = state.folders.doubted();
      return output;
    });
    return joined(outputs);
  }

  #list({ pipelines, joinedBy: operators }: List, state: ShellState, input: Stream): Stream {
    const outputs: Stream[] = [];
    let begun = state.folders;
    // What follows something that is known to succeed runs in any case.
    for (let at = 0, isSure = true; isSure; at++) {
      begun = state.folders;
      const [pipeline = [], before] = [pipelines[at], this.commands.length];
      outputs.push(this.#pipeline(pipeline, state, input));
      isSure = operators[at] === "&&" && this.#hasSucceeded(pipeline, this.commands[before], state);
    }
    const others = pipelines.slice(outputs.length);
    const joinedBy = operators.slice(outputs.length - 1);
    if (others.length === 0) return joined(outputs);
    const isEnding = this.branch(state, (inside) => {
      let isEnded = false;
      let succeeded: Folders | null = null;
      const { folders } = inside;
      let current = inside;
      for (const [at, pipeline] of others.entries()) {
        const follow = (own: ShellState) => {
          own.hasEnded = false;
          outputs.push(this.#pipeline(pipeline, own, input));
          isEnded = own.hasEnded;
        };
        if (joinedBy[at] === "||") {
          succeeded = current.folders;
          // What stands before it may not have run, and it may not itself.
          current = this.#branchEnds === "kept" ? inside : state.fork();
          current.folders = succeeded.since(folders);
          this.#maybe(current, follow);
        } else follow(current);
      }
      inside.folders = current.folders;
      // `a && b || exit`: with more than one `||` something else may come first.
      return isEnded && joinedBy.indexOf("||") === joinedBy.length - 1 ? succeeded : null;
    });
    if (isEnding !== null) state.folders = isEnding.trusted(begun);
    return joined(outputs);
  }

  /** Of what can be known to succeed: `mkdir -p a && cd a && …`. */
  #hasSucceeded([stage, ...more]: Pipeline, command: ShellCommand | undefined, state: ShellState): boolean {
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

  protected branch<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    const { positional, folders } = state;
    const inside = this.#branchEnds === "kept" ? state : state.fork();
    this.assigning.depth++;
    const followed = follow(inside);
    this.assigning.depth--;
    // Of folders, all are kept.
    state.folders = inside.folders.since(folders);
    this.#hasBranches = true;
    this.#commandsAtBranch ??= this.commands.length;
    if (state.positional !== positional) this.assigning.forgetArguments(state);
    return followed;
  }

  protected whichever(taken: string, other: string): string {
    this.#commandsAtBranch ??= this.commands.length;
    return this.#branchEnds === "kept" ? taken : other;
  }

  /** The same where it is no failure that it did not run. */
  #maybe<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    state.folders = state.folders.doubted();
    const followed = this.branch(state, follow);
    state.folders = state.folders.doubted();
    return followed;
  }

  protected apart<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    this.assigning.depth++;
    const followed = follow(state.fork());
    this.assigning.depth--;
    return followed;
  }

  /** The same for a stage of a pipeline: zsh runs the last one itself. Words of arrays count there as well. */
  #stageApart(state: ShellState, follow: (inside: ShellState) => Stream): Stream {
    if (this.#branchEnds === "undone") return this.apart(state, follow);
    this.assigning.depth++;
    const output = follow(state.copy());
    this.assigning.depth--;
    if (state.hasArrays) this.#commandsAtBranch ??= this.commands.length;
    return output;
  }

  /** Whether a variable is passed on that the line does not export is not known: the environment may have it. */
  protected inProgram<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    if (this.assigning.names.size > 0) this.#commandsAtBranch ??= this.commands.length;
    return follow(this.#branchEnds === "kept" ? state.copy() : state.forProgram());
  }

  #pipeline(stages: Pipeline, state: ShellState, input: Stream): Stream {
    let flowing = input;
    for (const stage of stages) {
      // Functions that call each other run no command, and would go on for long.
      if (++this.#steps > limits.steps) {
        return this.#giveUp("it has too many commands");
      }
      const before = flowing;
      const follow = (inside: ShellState) => this.stage(stage, inside, before);
      flowing = stages.length > 1 ? this.#stageApart(state, follow) : follow(state);
    }
    return flowing;
  }

  protected stage(stage: Stage, state: ShellState, input: Stream): Stream {
    switch (stage.kind) {
      case "simple":
        return this.simple(stage, state, input);
      case "compound":
        return this.#compound(stage, state, input);
      case "function": {
        const other = this.assigning.depth > 0 ? state.functions.get(stage.name) : undefined;
        state.functions.set(stage.name, other === undefined ? stage.body : either(other, stage.body));
        return noInput;
      }
    }
  }

  #compound(compound: Compound, state: ShellState, input: Stream): Stream {
    if (compound.isSubshell) {
      const inside = { ...compound, isSubshell: false };
      return this.apart(state, (own) => this.#compound(inside, own, input));
    }
    const { expanding, substituted, readers } = this.expanding(state);
    const written = compound.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.redirects(compound.redirects, expanding);
    if (written.length > 0) this.add({ path: "", args: written, state, input, substituted });
    const from = redirects.findLast(({ operator }) => operator === "<");
    const reading = from === undefined || text !== null ? [] : [this.reading(from.target, state)];
    const given =
      text === null && reading.length === 0 ? input : { commands: [...input.commands, ...reading], text };
    // `for x; do` is over the arguments.
    const isOverArguments = compound.variable !== null && compound.words.length === 0;
    const words = isOverArguments ? (state.positional ?? [marks.unknown]) : written;
    const output = joined(this.#rounds(compound, words, state, given));
    if (redirects.length > 0) this.addRedirected(redirects, output, state, substituted);
    return this.readBy(readers, output, state);
  }

  #rounds(compound: Compound, words: readonly string[], state: ShellState, input: Stream): Stream[] {
    const { variable, isLoop, mayJump } = compound;
    const values = variable === null ? [""] : this.#valuesOf(words);
    const isCounted =
      variable !== null && words.length > 0 && values.length === words.length && words.every(isPlain);
    // Each round of these runs, from its first command to the last.
    const followed = isCounted && !mayJump ? { ...compound, sureBodies: 1 } : compound;
    const round = (value: string): Stream[] => {
      if (variable !== null) this.assigning.assignRound(state, variable, value);
      return this.#bodies(followed, state, input);
    };
    if (variable !== null && mayJump) this.assigning.note(variable, ...values);
    const before = state.folders;
    const outputs = values.flatMap(round);
    if (!isLoop || isCounted) return outputs;
    // Once more, with what the rounds before have changed. `while a; do cd ..; done`: there is no telling how far.
    if (state.folders !== before) state.folders = state.folders.orAny();
    return [...outputs, ...round(values.at(-1) ?? marks.unknown)];
  }

  #bodies({ bodies, sureBodies }: Compound, state: ShellState, input: Stream): Stream[] {
    return bodies.map((body, at) => {
      const follow = (inside: ShellState) => this.script(body, inside, input);
      return at < sureBodies ? follow(state) : this.#maybe(state, follow);
    });
  }

  /** Values a loop's variable has, one after the other. */
  #valuesOf(words: readonly string[]): readonly string[] {
    const rounds = words.length === 0 ? [marks.unknown] : roundsOf(words);
    if (rounds === null) this.opaque.add("it goes through too many words");
    return rounds ?? [marks.unknown];
  }
}

/** A function that is one or the other. */
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
