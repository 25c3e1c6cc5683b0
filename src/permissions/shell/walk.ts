import { shellQuoted } from "../../base/shell-quote.ts";
import { Assigning } from "./assign.ts";
import { programName, type ShellCommand } from "./command.ts";
import { type Expanding, expandFields, expandText, processFile } from "./expand.ts";
import { runFile } from "./launch/shells.ts";
import { isOfShell, type Launcher, type Launching, launcherOf, type Stream } from "./launchers.ts";
import { hasUnknown, isPlain, marks, shown } from "./marks.ts";
import { parseShell } from "./parse.ts";
import { ShellSyntaxError } from "./parse-words.ts";
import { joined, noInput } from "./stream.ts";
import type { Compound, List, Pipeline, Redirect, Script, SimpleCommand, Stage } from "./syntax.ts";
import type { ShellState } from "./variables.ts";
import { WrittenFiles } from "./written-files.ts";

/** Bounds on one line, whatever it says: a few milliseconds. */
const limits = { commands: 1_000, steps: 5_000, depth: 12, chars: 1024 * 1024, variableChars: 256 * 1024 };

type Assignments = ShellCommand["assignments"];

/** What a command is found with, besides its words. */
interface Around {
  readonly redirects?: ShellCommand["redirects"];
  readonly assignments?: Assignments;
  readonly input: Stream;
  readonly substituted: readonly ShellCommand[];
}

/** How branches are followed: what one changes holds after it, or does not. It may not have been taken. */
export type BranchEnds = "kept" | "undone";

/** Follows a line's commands in the order they stand, all ways at every branch. */
export class Walk {
  readonly commands: ShellCommand[] = [];
  readonly opaque = new Set<string>();
  readonly #assigning: Assigning;
  readonly #written = new WrittenFiles();
  readonly #branchEnds: BranchEnds;
  /** How many commands there were when the first branch ended; null: there was none. */
  #commandsAtBranch: number | null = null;
  #depth = 0;
  #chars = 0;
  #steps = 0;
  #variableChars = 0;

  constructor(ambiguous: Set<string>, branchEnds: BranchEnds) {
    this.#assigning = new Assigning(ambiguous, this.opaque);
    this.#branchEnds = branchEnds;
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

  script({ lists }: Script, state: ShellState, input: Stream): Stream {
    const outputs = lists.map((list, at) => {
      const before = state.cwd;
      const { output, isEndedByFailure } = list.isBackground
        ? this.#apart(state, (inside) => this.#list(list, inside, input))
        : this.#list(list, state, input);
      // Whether the last one fails is for whoever has it run to see.
      if (at < lists.length - 1 && !isEndedByFailure) this.#mayHaveFailed(state, before);
      return output;
    });
    return joined(outputs);
  }

  #list({ pipelines: [first = [], ...others], joinedBy }: List, state: ShellState, input: Stream) {
    const output = this.#pipeline(first, state, input);
    if (others.length === 0) return { output, isEndedByFailure: false };
    const { outputs, isEnded } = this.#branch(state, (inside) => ({
      outputs: others.map((pipeline) => {
        inside.hasEnded = false;
        return this.#pipeline(pipeline, inside, input);
      }),
      isEnded: inside.hasEnded,
    }));
    // `a && b || exit`: with more than one `||` something else may come first.
    const isEndedByFailure = isEnded && joinedBy.indexOf("||") === joinedBy.length - 1;
    return { output: joined([output, ...outputs]), isEndedByFailure };
  }

  /** `cd nowhere; rm -rf *`: what comes next is in the folder before, unless it is said to depend on the new one. */
  #mayHaveFailed(state: ShellState, before: string | null): void {
    if (state.cwd === before) return;
    if (this.#branchEnds === "undone") state.cwd = before;
    else this.#commandsAtBranch ??= this.commands.length;
  }

  /** Follows what may not come to run. */
  #branch<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    const followed = follow(this.#branchEnds === "kept" ? state : state.fork());
    this.#commandsAtBranch ??= this.commands.length;
    return followed;
  }

  /** Follows what is a process of its own, or may be: zsh runs the last stage of a pipeline itself. */
  #apart<T>(state: ShellState, follow: (inside: ShellState) => T): T {
    const followed = follow(this.#branchEnds === "kept" ? state.copy() : state.fork());
    if (state.hasArrays) this.#commandsAtBranch ??= this.commands.length;
    return followed;
  }

  #giveUp(why: string): Stream {
    this.opaque.add(why);
    return noInput;
  }

  #pipeline(stages: Pipeline, state: ShellState, input: Stream): Stream {
    let flowing = input;
    for (const stage of stages) {
      // Functions that call each other run no command, and would go on for long.
      if (++this.#steps > limits.steps || this.commands.length >= limits.commands) {
        return this.#giveUp("it has too many commands");
      }
      const before = flowing;
      const follow = (inside: ShellState) => this.#stage(stage, inside, before);
      flowing = stages.length > 1 ? this.#apart(state, follow) : follow(state);
    }
    return flowing;
  }

  #stage(stage: Stage, state: ShellState, input: Stream): Stream {
    switch (stage.kind) {
      case "simple":
        return this.#simple(stage, state, input);
      case "compound":
        return this.#compound(stage, state, input);
      case "function":
        state.functions.set(stage.name, stage.body);
        return noInput;
    }
  }

  #compound(compound: Compound, state: ShellState, input: Stream): Stream {
    if (compound.isSubshell) {
      const inside = { ...compound, isSubshell: false };
      return this.#apart(state, (own) => this.#compound(inside, own, input));
    }
    const { expanding, substituted, readers } = this.#expanding(state);
    const words = compound.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.#redirects(compound.redirects, expanding);
    if (words.length + redirects.length > 0) {
      this.#add({ path: "", args: words, state, redirects, input, substituted });
    }
    if (compound.variable !== null) {
      if (words.length === 1 && isPlain(words[0] ?? ""))
        this.#assigning.assign(state, compound.variable, words[0] ?? "");
      else this.#assigning.assign(state, compound.variable, marks.unknown);
    }
    const given = text === null ? input : { commands: input.commands, text };
    const outputs = compound.bodies.map((body, at) => {
      const follow = (inside: ShellState) => this.script(body, inside, given);
      return at < compound.sureBodies ? follow(state) : this.#branch(state, follow);
    });
    return this.#readBy(readers, joined(outputs), state);
  }

  /** Follows the commands of `>( … )`: they read what a command writes. */
  #readBy(readers: readonly Script[], output: Stream, state: ShellState): Stream {
    for (const reader of readers) {
      this.#deeper(() => this.#apart(state, (inside) => this.script(reader, inside, output)));
    }
    return output;
  }

  #simple(simple: SimpleCommand, state: ShellState, input: Stream): Stream {
    const { expanding, substituted, readers } = this.#expanding(state);
    const fields = simple.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.#redirects(simple.redirects, expanding);
    const given: Stream = { commands: input.commands, text: text ?? input.text };
    const assignments = simple.assignments.map(
      (assignment) => [assignment.name, this.#assigning.valueOf(assignment, expanding)] as const,
    );
    const around = { redirects, input: given, substituted, assignments };
    if (fields.length === 0) {
      for (const [at, [name, value]] of assignments.entries()) {
        if (simple.assignments[at]?.isArray !== true) this.#assigning.assign(state, name, value);
      }
      return this.#readBy(readers, this.#launch(fields, state, around), state);
    }
    for (const [name, value] of assignments) this.#assigning.look(name, value);
    const output = this.#withVariables(assignments, state, () => this.#launch(fields, state, around));
    return this.#readBy(readers, output, state);
  }

  /** Before a command they hold for that alone. */
  #withVariables(assignments: Assignments, state: ShellState, follow: () => Stream): Stream {
    const before = assignments.map(([name]) => [name, state.variables.get(name)] as const);
    for (const [name, value] of assignments) state.variables.set(name, value);
    const output = follow();
    for (const [name, value] of before) {
      if (value === undefined) state.variables.delete(name);
      else state.variables.set(name, value);
    }
    return output;
  }

  #launch(fields: readonly string[], state: ShellState, around: Around): Stream {
    const [path = "", ...args] = fields;
    const renamed = this.#renamed(path, args, state, around);
    const command = this.#add({ path, args, state, ...around });
    if (command === null) return noInput;
    if (path !== "" && !isPlain(path))
      this.opaque.add(`what ${shown(path)} stands for is known only when it runs`);
    const launch = launcherOf(command.program) ?? this.#writtenScript(command);
    const start = (inside: ShellState) => launch?.(this.#launching(command, inside, around));
    const follow = (inside: ShellState) =>
      isOfShell(command.program) ? start(inside) : this.#apart(inside, start);
    const printed = this.#deeper(() => (renamed === null ? follow(state) : this.#branch(state, follow)));
    const own = printed ?? {
      commands: [command, ...command.substituted],
      text: this.#written.printedBy(command),
    };
    const output = renamed === null ? own : { commands: [...renamed.commands, ...own.commands], text: null };
    this.#written.note(command, output.text);
    return output;
  }

  /**
   * What a name stands for, if the line has made it a function or an alias. It may not have come to that: aliases are for
   * shells people type in, and `false && git() { :; }` defines nothing. So the command itself counts as well.
   */
  #renamed(path: string, args: readonly string[], state: ShellState, { input }: Around): Stream | null {
    const aliased = state.aliases.get(path);
    const called = state.functions.get(path);
    if (aliased === undefined && called === undefined) return null;
    const inside = state.copy();
    // Within it the name is the command's again, or it would go on for ever.
    inside.aliases.delete(path);
    inside.positional = args;
    const line = aliased === undefined ? null : `${aliased} ${args.map(shellQuoted).join(" ")}`;
    const outputs = [
      line === null ? undefined : this.#deeper(() => this.text(line, inside, input)),
      called === undefined ? undefined : this.#deeper(() => this.#stage(called, inside, input)),
    ];
    state.cwd = inside.cwd;
    return joined(outputs.filter((output) => output !== undefined));
  }

  /** Whether it is a file the line itself has written. */
  #writtenScript({ path, cwd }: ShellCommand): Launcher | undefined {
    if (!path.includes("/") || this.#written.get(cwd, path) === undefined) return undefined;
    return (launching) => runFile([path, ...launching.command.args], launching);
  }

  #launching(command: ShellCommand, state: ShellState, around: Around): Launching {
    const { input, substituted } = around;
    return {
      command,
      state,
      run: (fields, stdin) => {
        const given = stdin === undefined ? input : { commands: input.commands, text: stdin };
        return this.#launch(fields, state, { ...around, redirects: [], assignments: [], input: given });
      },
      runText: (text, words) => {
        if (hasUnknown(text)) this.opaque.add("part of what it gives to a shell is known only then");
        const inside = words === undefined ? state : state.copy();
        if (words !== undefined) {
          inside.positional = words.slice(1);
          if (words[0] !== undefined) inside.variables.set("0", words[0]);
        }
        const given = { commands: [...input.commands, ...substituted], text: input.text };
        const printed = this.text(text, inside, given);
        state.cwd = inside.cwd;
        return printed;
      },
      written: (file) => this.#written.get(state.cwd, file),
      assign: (name, value) => this.#assigning.assign(state, name, value),
      opaque: (why) => void this.opaque.add(why),
    };
  }

  #deeper<T>(follow: () => T): T | undefined {
    if (this.#depth >= limits.depth) {
      this.opaque.add("it is nested too deeply");
      return undefined;
    }
    this.#depth++;
    try {
      return follow();
    } finally {
      this.#depth--;
    }
  }

  #add(made: Around & { path: string; args: readonly string[]; state: ShellState }): ShellCommand | null {
    if (this.commands.length >= limits.commands) {
      this.opaque.add("it has too many commands");
      return null;
    }
    const { path, args, state, redirects = [], assignments = [], input, substituted } = made;
    const command: ShellCommand = {
      program: isPlain(path) ? programName(path) : "",
      path,
      args,
      cwd: state.cwd,
      redirects,
      assignments,
      inputs: input.commands,
      substituted,
      stdin: input.text,
      code: null,
      isNested: this.#depth > 0,
    };
    this.commands.push(command);
    return command;
  }

  #expanding(state: ShellState) {
    const substituted: ShellCommand[] = [];
    const readers: Script[] = [];
    let hasProcess = false;
    const follow = (script: Script): Stream | undefined =>
      this.#deeper(() => this.#apart(state, (inside) => this.script(script, inside, noInput)));
    const expanding: Expanding = {
      state,
      substitute: (script) => {
        const output = follow(script);
        substituted.push(...(output?.commands ?? []));
        return output?.text ?? null;
      },
      process: (script, isInput) => {
        if (!isInput) {
          readers.push(script);
          return;
        }
        const output = follow(script);
        substituted.push(...(output?.commands ?? []));
        // The command may run it as a file; of several, which one is not followed.
        this.#written.set(null, processFile, hasProcess ? null : (output?.text ?? null));
        hasProcess = true;
      },
      hasRoomFor: (chars) => this.#hasRoomFor(chars),
    };
    return { expanding, substituted, readers };
  }

  /** A line has room for a long value and for thousands of words that are all of it. */
  #hasRoomFor(chars: number): boolean {
    this.#variableChars += chars;
    if (this.#variableChars <= limits.variableChars) return true;
    this.opaque.add("its variables come to too much");
    return false;
  }

  #redirects(written: readonly Redirect[], expanding: Expanding) {
    const redirects: { operator: string; target: string }[] = [];
    let text: string | null = null;
    for (const { operator, target } of written) {
      const expanded = expandText(target, expanding);
      if (operator === "<<" || operator === "<<<") text = operator === "<<" ? expanded : `${expanded}\n`;
      else redirects.push({ operator, target: expanded });
      if (operator === "<") text = this.#written.get(expanding.state.cwd, expanded) ?? text;
    }
    return { redirects, text };
  }
}
