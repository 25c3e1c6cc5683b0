import { programName, type ShellCommand } from "../command.ts";
import { isPlain } from "../marks.ts";
import { type Ambiguous, Assigning } from "./assign.ts";
import { type Budget, maxNesting, maxWords } from "./budget.ts";
import type { Script } from "../syntax/tree.ts";
import type { Exploration } from "./exploration.ts";
import type { State } from "./state.ts";
import type { Stream } from "./stream.ts";
import { WrittenFiles } from "./written-files.ts";

/** What a command is found with, besides its words. */
export interface Around {
  readonly redirects?: ShellCommand["redirects"];
  readonly assignments?: ShellCommand["assignments"];
  readonly input: Stream;
  readonly substituted: readonly ShellCommand[];
}

/** Follows a part of a line in the state that holds there. */
export type Follow<T> = (inside: State) => T;

/** A text as commands, or why it cannot be read as any. */
export type ReadScript = Script | { readonly problem: string };

/** One exploration of a line: what is found, what of it cannot be told, and which state holds where. */
export class Run {
  readonly commands: ShellCommand[] = [];
  /** Why part of the line cannot be told. */
  readonly opaque = new Set<string>();
  readonly assigning: Assigning;
  /** What the line has put into files. */
  readonly written = new WrittenFiles();
  readonly budget: Budget;
  /** Texts that were read before, by this exploration or by another one of the line. */
  readonly scripts: Map<string, ReadScript>;
  hasBranches = false;
  /** Whether branches are assumed to be taken. */
  readonly isTaken: boolean;
  /** How many commands there were when the first branch ended; null: there was none. */
  #commandsAtBranch: number | null = null;
  #nesting = 0;
  readonly #later: (() => void)[] = [];

  constructor({ assumeBranch, variables }: Exploration, budget: Budget, first: Run | null) {
    const ambiguous: Ambiguous = first?.assigning.ambiguous ?? new Map();
    this.assigning = new Assigning(ambiguous, variables, this.opaque);
    this.isTaken = assumeBranch === "taken";
    this.budget = budget;
    this.scripts = first?.scripts ?? new Map();
  }

  /** Whether anything comes after a branch: if not, it makes no difference how that ends. */
  get goesOnAfterBranch(): boolean {
    return this.#commandsAtBranch !== null && this.commands.length > this.#commandsAtBranch;
  }

  /** From here on it makes a difference which branch is taken. */
  noteBranch(): void {
    this.#commandsAtBranch ??= this.commands.length;
  }

  /** Follows what may not come to run. */
  branch<T>(state: State, follow: Follow<T>): T {
    const { positional, folders } = state;
    const inside = this.isTaken ? state : state.fork();
    const followed = this.#deeperAssigning(() => follow(inside));
    // Whichever branch is assumed, the line may be in the folders of both.
    state.folders = inside.folders.union(folders);
    this.hasBranches = true;
    this.noteBranch();
    if (state.positional !== positional) this.assigning.forgetArguments(state);
    return followed;
  }

  /** Follows what may not come to run, where that would be no failure. */
  optional<T>(state: State, follow: Follow<T>): T {
    state.folders = state.folders.withFailedChanges();
    const followed = this.branch(state, follow);
    state.folders = state.folders.withFailedChanges();
    return followed;
  }

  /** Follows what is a process of its own. */
  subshell<T>(state: State, follow: Follow<T>): T {
    return this.#deeperAssigning(() => follow(state.fork()));
  }

  /** Follows a stage of a pipeline: zsh runs the last one itself. Words of arrays count there as well. */
  stage(state: State, follow: Follow<Stream>): Stream {
    if (!this.isTaken) return this.subshell(state, follow);
    const output = this.#deeperAssigning(() => follow(state.copy()));
    if (state.hasArrays) this.noteBranch();
    return output;
  }

  /**
   * Follows what another program is given. Whether a variable is passed on that the line does not export is not known: the
   * environment may have it.
   */
  program<T>(state: State, follow: Follow<T>): T {
    if (this.assigning.names.size > 0) this.noteBranch();
    return follow(this.isTaken ? state.copy() : state.forProgram());
  }

  /** Chooses what holds if a branch is taken, or what holds otherwise. */
  choose(ifTaken: string, ifSkipped: string): string {
    this.noteBranch();
    return this.isTaken ? ifTaken : ifSkipped;
  }

  /** Follows one level deeper; undefined where that is too deep. */
  nested<T>(follow: () => T): T | undefined {
    if (this.#nesting >= maxNesting) {
      this.opaque.add("it is nested too deeply");
      return undefined;
    }
    this.#nesting++;
    try {
      return follow();
    } finally {
      this.#nesting--;
    }
  }

  /** Follows now, and once more at the line's end, with what variables have by then: `trap … EXIT`. */
  later<T>(state: State, follow: Follow<T>): T {
    this.#later.push(() => void this.nested(() => this.subshell(state, follow)));
    return this.subshell(state, follow);
  }

  end(): void {
    for (const follow of this.#later.splice(0)) follow();
  }

  /** Adds a command in every folder it may run in; null when there are too many. */
  add(path: string, words: readonly string[], state: State, around: Around): ShellCommand | null {
    const { cwd, folders } = state;
    if (!this.budget.take("commands") || !this.budget.takeSteps(1 + folders.others.size)) {
      this.opaque.add("it has too many commands");
      return null;
    }
    if (words.length > maxWords) this.opaque.add("it has too many words");
    const command: ShellCommand = {
      program: isPlain(path) ? programName(path) : "",
      path,
      args: words.slice(0, maxWords),
      cwd,
      redirects: around.redirects ?? [],
      assignments: around.assignments ?? [],
      inputs: around.input.commands,
      substituted: around.substituted,
      stdin: around.input.text,
      code: null,
      isNested: this.#nesting > 0,
    };
    this.commands.push(command, ...[...folders.others].map((other) => ({ ...command, cwd: other })));
    return command;
  }

  /** Whether so many characters more may come of variables. A line has room for a long value and for thousands of words that are all of it. */
  hasRoomFor(chars: number): boolean {
    if (this.budget.take("variableChars", chars)) return true;
    this.opaque.add("its variables come to too much");
    return false;
  }

  #deeperAssigning<T>(follow: () => T): T {
    this.assigning.depth++;
    const followed = follow();
    this.assigning.depth--;
    return followed;
  }
}
