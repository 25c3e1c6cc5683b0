import { shellQuoted } from "../../../base/shell-quote.ts";
import { changedFolders, isBeyondBounds, type ShellCommand } from "../command.ts";
import { expandBraces } from "../expand/braces.ts";
import { type Expanding, expandFields, expandText, processFile } from "../expand/expand.ts";
import { hasUnknown, isPlain, shown } from "../marks.ts";
import type { Launcher, Launching } from "../programs/launching.ts";
import { launcherOf, reachOf } from "../programs/table.ts";
import { runFile } from "../programs/shells.ts";
import { mayStart, runUnknown } from "../programs/unknown.ts";
import type { Redirect, Script, SimpleCommand } from "../syntax/tree.ts";
import type { Around, Follow, Run } from "./run.ts";
import { interpretScript, interpretStage, interpretText } from "./script.ts";
import type { State } from "./state.ts";
import { joined, noInput, type Stream } from "./stream.ts";

type Assignments = ShellCommand["assignments"];

/** Follows a single command: its words, what they stand for and what they start. */
export function runSimple(run: Run, simple: SimpleCommand, state: State, input: Stream): Stream {
  const { expanding, substituted, readers } = expandingIn(run, state);
  const fields = simple.words.flatMap((word) => expandFields(word, expanding));
  const { redirects, text } = expandRedirects(run, simple.redirects, expanding);
  const given: Stream = { commands: input.commands, text: text ?? input.text };
  const assignments = simple.assignments.map((assignment) => {
    const value = run.assigning.valueOf(assignment, expanding);
    // One after the other: `x=-f y=$x`.
    if (fields.length === 0 && !assignment.isArray) run.assigning.assign(state, assignment.name, value);
    return [assignment.name, value] as const;
  });
  const around = { redirects, input: given, substituted, assignments };
  if (fields.length === 0) return runReaders(run, readers, launch(run, fields, state, around), state);
  for (const [name, value] of assignments) run.assigning.look(name, value);
  const output = withVariables(assignments, state, () => launch(run, fields, state, around));
  return runReaders(run, readers, output, state);
}

/** Before a command assignments hold for that alone. */
function withVariables(assignments: Assignments, state: State, follow: () => Stream): Stream {
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

function launch(
  run: Run,
  fields: readonly string[],
  state: State,
  around: Around,
  mayBeRenamed = true,
): Stream {
  const [path = "", ...args] = fields;
  const renamed = mayBeRenamed ? runRenamed(run, path, args, state, around) : null;
  const command = run.add(path, args, state, around);
  if (command === null) return noInput;
  if (!isPlain(path)) run.opaque.add(`what ${shown(path)} stands for is known only when it runs`);
  const launcher = launcherOf(command.program) ?? writtenScript(run, command);
  if (launcher === undefined && mayStart(command)) {
    const follow = (inside: State) => runUnknown(launchingOf(run, command, inside, around));
    run.nested(() => run.subshell(state, follow));
  }
  const start = (inside: State) => launcher?.(launchingOf(run, command, inside, around));
  const follow = (inside: State) => reach(run, command.program, inside, start);
  const printed =
    launcher && run.nested(() => (renamed === null ? follow(state) : run.branch(state, follow)));
  const own = printed ?? {
    commands: [command, ...command.substituted],
    text: printedBy(run, command, state),
  };
  // A function that is called `cd` need not be one.
  if (renamed !== null && launcher !== undefined) state.folders = state.folders.withFailedChanges();
  const text = renamed === null ? own.text : own.text === null ? renamed.text : null;
  const output = { commands: [...(renamed?.commands ?? []), ...own.commands], text };
  run.written.note(command, output.text);
  for (const { path: folder, became } of changedFolders(command)) state.noteFolder(folder, became);
  return output;
}

function printedBy(run: Run, command: ShellCommand, state: State): string | null {
  if (command.program === "pwd" && state.folders.others.size > 0) return null;
  return run.written.printedBy(command);
}

/** Follows what a program starts where that happens. */
function reach<T>(run: Run, program: string, state: State, follow: Follow<T>): T {
  switch (reachOf(program)) {
    case "shell":
      return follow(state);
    case "later":
      return run.later(state, follow);
    case "program":
      return run.program(state, follow);
  }
}

/**
 * Follows what a name stands for, if the line has made it a function or an alias. It may not have come to that: aliases are
 * for shells people type in, and `false && git() { :; }` defines nothing. So the command itself counts as well.
 */
function runRenamed(
  run: Run,
  path: string,
  args: readonly string[],
  state: State,
  { input }: Around,
): Stream | null {
  const aliased = state.aliases.get(path);
  const called = state.functions.get(path);
  if (aliased === undefined && called === undefined) return null;
  const line = aliased === undefined ? null : `${aliased} ${args.map(shellQuoted).join(" ")}`;
  const inside = state.copy();
  // Within it the name is the command's again, or it would go on for ever.
  inside.aliases.delete(path);
  const outputs = [
    line === null ? undefined : run.nested(() => interpretText(run, line, inside, input)),
    called && run.nested(() => state.inFunction(args, () => interpretStage(run, called, state, input))),
  ];
  return joined(outputs.filter((output) => output !== undefined));
}

/** Returns what follows a file that the line itself has written. */
function writtenScript(run: Run, { path, cwd }: ShellCommand): Launcher | undefined {
  if (!path.includes("/") || run.written.get(cwd, path) === undefined) return undefined;
  return (launching) => runFile([path, ...launching.command.args], launching);
}

function launchingOf(run: Run, command: ShellCommand, state: State, around: Around): Launching {
  const { input, substituted } = around;
  return {
    command,
    state,
    run: (fields, stdin) => {
      const given = stdin === undefined ? input : { commands: input.commands, text: stdin };
      const own = { ...around, redirects: [], assignments: [], input: given };
      return launch(run, fields, state, own, !["command", "builtin"].includes(command.program));
    },
    runText: (text, words) => {
      if (hasUnknown(text)) run.opaque.add("part of what it gives to a shell is known only then");
      const given = { commands: [...input.commands, ...substituted], text: input.text };
      const follow = () => interpretText(run, text, state, given);
      if (words === undefined) return follow();
      if (words[0] !== undefined) state.variables.set("0", words[0]);
      return state.withArguments(words.slice(1), follow);
    },
    tryText: (text) => {
      const before = new Set(run.opaque);
      run.subshell(state, (inside) => interpretText(run, text, inside));
      for (const why of run.opaque) if (!before.has(why) && !isBeyondBounds(why)) run.opaque.delete(why);
    },
    written: (file) => run.written.get(state.cwd, file),
    assign: (name, value) => run.assigning.assign(state, name, value),
    assignSeveral: (name, values) => run.assigning.assignSeveral(state, name, values),
    opaque: (why) => void run.opaque.add(why),
  };
}

/** What expands words in this state; `substituted` and `readers` fill up meanwhile. */
export function expandingIn(run: Run, state: State) {
  const substituted: ShellCommand[] = [];
  const readers: Script[] = [];
  let hasProcess = false;
  const substitute = (script: Script): string | null => {
    const follow: Follow<Stream> = (inside) => interpretScript(run, script, inside, noInput);
    const output = run.nested(() => run.subshell(state, follow));
    substituted.push(...(output?.commands ?? []));
    return output?.text ?? null;
  };
  const expanding: Expanding = {
    state,
    substitute,
    process: (script, isInput) => {
      if (!isInput) {
        readers.push(script);
        return;
      }
      const text = substitute(script);
      // The command may run it as a file; of several, which one is not followed.
      run.written.set(null, processFile, hasProcess ? null : text);
      hasProcess = true;
    },
    choose: (ifTaken, ifSkipped) => run.choose(ifTaken, ifSkipped),
    hasRoomFor: (chars) => run.hasRoomFor(chars),
  };
  return { expanding, substituted, readers };
}

/** Follows the commands of `>( … )`: they read what a command writes. */
export function runReaders(run: Run, readers: readonly Script[], output: Stream, state: State): Stream {
  for (const reader of readers) {
    run.nested(() => run.subshell(state, (inside) => interpretScript(run, reader, inside, output)));
  }
  return output;
}

/** Where a command's input comes from and its output goes to, and the text it reads if that is known. */
export function expandRedirects(run: Run, written: readonly Redirect[], expanding: Expanding) {
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
      if (operator === "<") text = run.written.get(expanding.state.cwd, expanded) ?? text;
    }
  }
  return { redirects, text };
}

/** Adds the redirections of several commands together. */
export function addRedirected(
  run: Run,
  redirects: ShellCommand["redirects"],
  input: Stream,
  state: State,
  substituted: readonly ShellCommand[],
): void {
  const command = run.add("", [], state, { redirects, input, substituted });
  if (command !== null) run.written.note(command, input.text);
}

/** `{ …; } < file`: to what stands in it the file comes as from a pipe. It is no command of the line. */
export function fileReader(file: string, { cwd }: State): ShellCommand {
  const around = { cwd, redirects: [], assignments: [], inputs: [], substituted: [], stdin: null };
  return { program: "cat", path: "cat", args: [file], ...around, code: null, isNested: true };
}
