import { shellQuoted } from "../../../base/shell-quote.ts";
import type { Assigning } from "./assign.ts";
import { expandBraces } from "../expand/braces.ts";
import { changedFolders, isBeyondBounds, programName, type ShellCommand } from "../command.ts";
import { type Expanding, expandFields, expandText, processFile } from "../expand/expand.ts";
import { runFile } from "../programs/shells.ts";
import { mayStart, runUnknown } from "../programs/unknown.ts";
import { type Launcher, type Launching, launcherOf, reachOf, type Stream } from "../programs/launchers.ts";
import { hasUnknown, isPlain, shown } from "../marks.ts";
import { joined, noInput } from "./stream.ts";
import type { Redirect, Script, SimpleCommand, Stage } from "../syntax/tree.ts";
import type { ShellState } from "./state.ts";
import { WrittenFiles } from "./written-files.ts";

/** Bounds on one line, whatever it says: a few milliseconds. */
const limits = { commands: 1_000, words: 20_000, depth: 12, variableChars: 256 * 1024 };

type Assignments = ShellCommand["assignments"];

/** What a command is found with, besides its words. */
interface Around {
  readonly redirects?: ShellCommand["redirects"];
  readonly assignments?: Assignments;
  readonly input: Stream;
  readonly substituted: readonly ShellCommand[];
}

/** Follows single commands: their words, what they stand for and what they start. */
export abstract class CommandWalk {
  readonly commands: ShellCommand[] = [];
  readonly opaque = new Set<string>();
  protected abstract readonly assigning: Assigning;
  readonly #written = new WrittenFiles();
  #depth = 0;
  /** Commands, each counted once, whatever folders it may be in. */
  #found = 0;
  #variableChars = 0;
  readonly #later: (() => void)[] = [];

  /** Follows once more what runs in the end, with what variables have by then: `trap … EXIT`. */
  end(): void {
    for (const follow of this.#later.splice(0)) follow();
  }

  abstract text(text: string, state: ShellState, input: Stream): Stream;
  protected abstract script(script: Script, state: ShellState, input: Stream): Stream;
  protected abstract stage(stage: Stage, state: ShellState, input: Stream): Stream;
  /** Follows what may not come to run. */
  protected abstract branch<T>(state: ShellState, follow: (inside: ShellState) => T): T;
  /** Follows what is a process of its own. */
  protected abstract apart<T>(state: ShellState, follow: (inside: ShellState) => T): T;
  protected abstract whichever(taken: string, other: string): string;
  /** Follows what another program is given. */
  protected abstract inProgram<T>(state: ShellState, follow: (inside: ShellState) => T): T;

  /** Follows the commands of `>( … )`: they read what a command writes. */
  protected readBy(readers: readonly Script[], output: Stream, state: ShellState): Stream {
    for (const reader of readers) {
      this.deeper(() => this.apart(state, (inside) => this.script(reader, inside, output)));
    }
    return output;
  }

  protected simple(simple: SimpleCommand, state: ShellState, input: Stream): Stream {
    const { expanding, substituted, readers } = this.expanding(state);
    const fields = simple.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.redirects(simple.redirects, expanding);
    const given: Stream = { commands: input.commands, text: text ?? input.text };
    const assignments = simple.assignments.map((assignment) => {
      const value = this.assigning.valueOf(assignment, expanding);
      // One after the other: `x=-f y=$x`.
      if (fields.length === 0 && !assignment.isArray) this.assigning.assign(state, assignment.name, value);
      return [assignment.name, value] as const;
    });
    const around = { redirects, input: given, substituted, assignments };
    if (fields.length === 0) {
      return this.readBy(readers, this.#launch(fields, state, around), state);
    }
    for (const [name, value] of assignments) this.assigning.look(name, value);
    const output = this.#withVariables(assignments, state, () => this.#launch(fields, state, around));
    return this.readBy(readers, output, state);
  }

  /** Before a command they hold for that alone. */
  #withVariables(assignments: Assignments, state: ShellState, follow: () => Stream): Stream {
    const before = assignments.map(
      ([name]) => [name, state.variables.get(name), state.exported.get(name)] as const,
    );
    for (const [name, value] of assignments) {
      state.variables.set(name, value);
      state.exported.set(name, "yes");
    }
    const output = follow();
    for (const [name, value, isExported] of before) {
      state.variables.restore(name, value);
      state.exported.restore(name, isExported);
    }
    return output;
  }

  #launch(fields: readonly string[], state: ShellState, around: Around, mayBeRenamed = true): Stream {
    const [path = "", ...args] = fields;
    const renamed = mayBeRenamed ? this.#renamed(path, args, state, around) : null;
    const command = this.add({ path, args, state, ...around });
    if (command === null) return noInput;
    if (path !== "" && !isPlain(path))
      this.opaque.add(`what ${shown(path)} stands for is known only when it runs`);
    const launch = launcherOf(command.program) ?? this.#writtenScript(command);
    if (launch === undefined && mayStart(command)) {
      const follow = (inside: ShellState) => runUnknown(this.#launching(command, inside, around));
      this.deeper(() => this.apart(state, follow));
    }
    const start = (inside: ShellState) => launch?.(this.#launching(command, inside, around));
    const follow = (inside: ShellState) => this.#within(reachOf(command.program), inside, start);
    const printed =
      launch && this.deeper(() => (renamed === null ? follow(state) : this.branch(state, follow)));
    const own = printed ?? {
      commands: [command, ...command.substituted],
      text: this.#printedBy(command, state),
    };
    // A function that is called `cd` need not be one.
    if (renamed !== null && launch !== undefined) state.folders = state.folders.doubted();
    const text = renamed === null ? own.text : own.text === null ? renamed.text : null;
    const output = { commands: [...(renamed?.commands ?? []), ...own.commands], text };
    this.#written.note(command, output.text);
    for (const { path: folder, became } of changedFolders(command)) state.noteFolder(folder, became);
    return output;
  }

  #printedBy(command: ShellCommand, state: ShellState): string | null {
    if (command.program === "pwd" && state.folders.others.size > 0) return null;
    return this.#written.printedBy(command);
  }

  /** Of several commands together. */
  protected addRedirected(
    redirects: ShellCommand["redirects"],
    output: Stream,
    state: ShellState,
    substituted: readonly ShellCommand[],
  ): void {
    const command = this.add({ path: "", args: [], state, redirects, input: output, substituted });
    if (command !== null) this.#written.note(command, output.text);
  }

  #within<T>(reach: ReturnType<typeof reachOf>, state: ShellState, follow: (inside: ShellState) => T): T {
    if (reach === "shell") return follow(state);
    if (reach === "program") return this.inProgram(state, follow);
    this.#later.push(() => void this.deeper(() => this.apart(state, follow)));
    return this.apart(state, follow);
  }

  /**
   * What a name stands for, if the line has made it a function or an alias. It may not have come to that: aliases are for
   * shells people type in, and `false && git() { :; }` defines nothing. So the command itself counts as well.
   */
  #renamed(path: string, args: readonly string[], state: ShellState, { input }: Around): Stream | null {
    const aliased = state.aliases.get(path);
    const called = state.functions.get(path);
    if (aliased === undefined && called === undefined) return null;
    const line = aliased === undefined ? null : `${aliased} ${args.map(shellQuoted).join(" ")}`;
    const inside = state.copy();
    // Within it the name is the command's again, or it would go on for ever.
    inside.aliases.delete(path);
    const outputs = [
      line === null ? undefined : this.deeper(() => this.text(line, inside, input)),
      called && this.deeper(() => state.inFunction(args, () => this.stage(called, state, input))),
    ];
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
        const own = { ...around, redirects: [], assignments: [], input: given };
        return this.#launch(fields, state, own, !["command", "builtin"].includes(command.program));
      },
      runText: (text, words) => {
        if (hasUnknown(text)) this.opaque.add("part of what it gives to a shell is known only then");
        const given = { commands: [...input.commands, ...substituted], text: input.text };
        const follow = () => this.text(text, state, given);
        if (words === undefined) return follow();
        if (words[0] !== undefined) state.variables.set("0", words[0]);
        return state.withArguments(words.slice(1), follow);
      },
      maybe: (text) => {
        const before = new Set(this.opaque);
        this.apart(state, (inside) => this.text(text, inside, noInput));
        for (const why of this.opaque) if (!before.has(why) && !isBeyondBounds(why)) this.opaque.delete(why);
      },
      written: (file) => this.#written.get(state.cwd, file),
      assign: (name, value) => this.assigning.assign(state, name, value),
      assignSeveral: (name, values) => this.assigning.assignSeveral(state, name, values),
      opaque: (why) => void this.opaque.add(why),
    };
  }

  protected deeper<T>(follow: () => T): T | undefined {
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

  protected add(
    made: Around & { path: string; args: readonly string[]; state: ShellState },
  ): ShellCommand | null {
    if (++this.#found > limits.commands) {
      this.opaque.add("it has too many commands");
      return null;
    }
    const { path, state, redirects = [], assignments = [], input, substituted } = made;
    const args = made.args.slice(0, limits.words);
    if (made.args.length > limits.words) this.opaque.add("it has too many words");
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
    this.commands.push(command, ...[...state.folders.others].map((cwd) => ({ ...command, cwd })));
    return command;
  }

  /** `{ …; } < file`: to what stands in it the file comes as from a pipe. It is no command of the line. */
  protected reading(file: string, { cwd }: ShellState): ShellCommand {
    const around = { cwd, redirects: [], assignments: [], inputs: [], substituted: [], stdin: null };
    return { program: "cat", path: "cat", args: [file], ...around, code: null, isNested: true };
  }

  protected expanding(state: ShellState) {
    const substituted: ShellCommand[] = [];
    const readers: Script[] = [];
    let hasProcess = false;
    const follow = (script: Script): Stream | undefined =>
      this.deeper(() => this.apart(state, (inside) => this.script(script, inside, noInput)));
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
      whichever: (taken, other) => this.whichever(taken, other),
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

  protected redirects(written: readonly Redirect[], expanding: Expanding) {
    const redirects: { operator: string; target: string }[] = [];
    let text: string | null = null;
    for (const { operator, target } of written) {
      if (operator === "<<" || operator === "<<<") {
        const expanded = expandText(target, expanding);
        text = operator === "<<" ? expanded : `${expanded}\n`;
        continue;
      }
      // `> a{b..b}` is a file; `> {a,b}` is an error to bash, and both files to zsh.
      for (const word of expandBraces(target)) {
        const expanded = expandText(word, expanding);
        redirects.push({ operator, target: expanded });
        if (operator === "<") text = this.#written.get(expanding.state.cwd, expanded) ?? text;
      }
    }
    return { redirects, text };
  }
}
