import { programName, type ShellCommand } from "./command.ts";
import { type Expanding, expandFields, expandText, processFile } from "./expand.ts";
import { runFile } from "./launch/shells.ts";
import { type Launcher, type Launching, launcherOf, type Stream } from "./launchers.ts";
import { isLoader } from "./loaders.ts";
import { hasUnknown, isPlain, marks, shown } from "./marks.ts";
import { parseShell } from "./parse.ts";
import { ShellSyntaxError } from "./parse-words.ts";
import type { Assignment, Compound, Pipeline, Redirect, Script, SimpleCommand, Stage } from "./syntax.ts";
import type { ShellState } from "./variables.ts";
import { WrittenFiles } from "./written-files.ts";

/** Bounds on one line, whatever it says: a few milliseconds. */
const limits = { commands: 1_000, steps: 5_000, depth: 12, chars: 1024 * 1024, variableChars: 256 * 1024 };

const noInput: Stream = { commands: [], text: null };

type Assignments = ShellCommand["assignments"];

/** What a command is found with, besides its words. */
interface Around {
  readonly redirects?: ShellCommand["redirects"];
  readonly assignments?: Assignments;
  readonly input: Stream;
  readonly substituted: readonly ShellCommand[];
}

/** Follows a line's commands in the order they stand, both ways at every branch. */
export class Walk {
  readonly commands: ShellCommand[] = [];
  readonly opaque = new Set<string>();
  /** Variables that are given different values: which one holds where is not followed. */
  readonly ambiguous: Set<string>;
  readonly #written = new WrittenFiles();
  #depth = 0;
  #chars = 0;
  #steps = 0;
  #variableChars = 0;

  constructor(ambiguous: Set<string>) {
    this.ambiguous = ambiguous;
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

  script({ pipelines }: Script, state: ShellState, input: Stream): Stream {
    const outputs = pipelines.map((pipeline) => this.#pipeline(pipeline, state, input));
    return joined(outputs);
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
      // Each stage of several is a process of its own.
      flowing = this.#stage(stage, stages.length > 1 ? state.copy() : state, flowing);
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

  #compound(compound: Compound, outer: ShellState, input: Stream): Stream {
    const state = compound.isSubshell ? outer.copy() : outer;
    const { expanding, substituted, readers } = this.#expanding(state);
    const words = compound.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.#redirects(compound.redirects, expanding);
    if (words.length + redirects.length > 0) {
      this.#add({ path: "", args: words, state, redirects, input, substituted });
    }
    if (compound.variable !== null) {
      if (words.length === 1 && isPlain(words[0] ?? ""))
        this.#assign(state, compound.variable, words[0] ?? "");
      else this.#assign(state, compound.variable, marks.unknown);
    }
    const given = text === null ? input : { commands: input.commands, text };
    const output = joined(compound.bodies.map((body) => this.script(body, state, given)));
    return this.#readBy(readers, output, state);
  }

  /** Follows the commands of `>( … )`: they read what a command writes. */
  #readBy(readers: readonly Script[], output: Stream, state: ShellState): Stream {
    for (const reader of readers) this.#deeper(() => this.script(reader, state.copy(), output));
    return output;
  }

  #simple(simple: SimpleCommand, state: ShellState, input: Stream): Stream {
    const { expanding, substituted, readers } = this.#expanding(state);
    const fields = simple.words.flatMap((word) => expandFields(word, expanding));
    const { redirects, text } = this.#redirects(simple.redirects, expanding);
    const given: Stream = { commands: input.commands, text: text ?? input.text };
    const assignments = simple.assignments.map(
      (assignment) => [assignment.name, this.#assignedValue(assignment, expanding)] as const,
    );
    const around = { redirects, input: given, substituted, assignments };
    if (fields.length === 0) {
      for (const [at, [name, value]] of assignments.entries()) {
        if (simple.assignments[at]?.isArray !== true) this.#assign(state, name, value);
      }
      return this.#readBy(readers, this.#launch(fields, state, around), state);
    }
    for (const [name, value] of assignments) {
      if (isLoader(name, value)) this.opaque.add(`${name} has a program load other code`);
    }
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
    const printed = launch && this.#deeper(() => launch(this.#launching(command, state, around)));
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
    const line = aliased === undefined ? null : `${aliased} ${args.map(quoted).join(" ")}`;
    const outputs = [
      line === null ? undefined : this.#deeper(() => this.text(line, inside, input)),
      called === undefined ? undefined : this.#deeper(() => this.#stage(called, inside, input)),
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
        return this.#launch(fields, state, { ...around, redirects: [], assignments: [], input: given });
      },
      runText: (text, words) => {
        if (hasUnknown(text)) this.opaque.add("part of what it gives to a shell is known only then");
        const inside = words === undefined ? state : state.copy();
        if (words !== undefined) {
          inside.positional = words.slice(1);
          if (words[0] !== undefined) inside.variables.set("0", words[0]);
        }
        return this.text(text, inside, { commands: [...input.commands, ...substituted], text: input.text });
      },
      written: (file) => this.#written.get(state.cwd, file),
      assign: (name, value) => this.#assign(state, name, value),
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
      this.#deeper(() => this.script(script, state.copy(), noInput));
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

  #assignedValue({ name, words, isOpen, isArray }: Assignment, expanding: Expanding): string {
    if (!isOpen && !isArray) return expandText(words[0] ?? [], expanding);
    const fields = words.flatMap((word) => expandFields(word, expanding));
    if (isArray) this.#assignArray(expanding.state, name, fields.map(withoutIndex), isOpen);
    return marks.unknown;
  }

  /** One that is given other words later has those of a moment that is not followed: none of them is known. */
  #assignArray(state: ShellState, name: string, words: readonly string[], isMore: boolean): void {
    if (!isMore && state.hasOtherWords(name, words)) this.ambiguous.add(name);
    if (this.ambiguous.has(name)) state.forgetWords(name);
    else if (isMore || !state.isArray(name)) state.extend(name, words);
  }

  #assign(state: ShellState, name: string, value: string): void {
    if (isLoader(name, value)) this.opaque.add(`${name} has a program load other code`);
    if (state.isArray(name)) this.#assignArray(state, name, [value], false);
    const known = state.variables.get(name);
    if (known !== undefined && known !== value) this.ambiguous.add(name);
    state.variables.set(name, this.ambiguous.has(name) ? marks.unknown : value);
  }
}

function joined(outputs: readonly Stream[]): Stream {
  const [first] = outputs;
  if (outputs.length === 1 && first !== undefined) return first;
  const texts = outputs.map(({ text }) => text);
  return {
    commands: outputs.flatMap(({ commands }) => commands),
    text: texts.every((text) => text !== null) ? texts.join("") : null,
  };
}

/** `([0]=word)` */
function withoutIndex(word: string): string {
  return word.replace(/^(?:\[[^\]]*\]|\uE002)=/, "");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
