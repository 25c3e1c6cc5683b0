import type { Stream } from "../interpret/stream.ts";
import { isPlain } from "../marks.ts";
import type { Launching } from "./launching.ts";
import { firstOperand, optionValue } from "./options.ts";
import type { Program } from "./program.ts";

/** The places of what a program is given to start. */
export interface FoundCommand {
  /** Where its options begin, after the words a command comes after. */
  readonly options: number;
  readonly firstOperand: number;
  /** Where the command begins; behind the last word if there is none. */
  readonly command: number;
}

/** Finds the command that a program is given; null when none of the words is there that it comes after. */
export function findCommand(args: readonly string[], program: Program): FoundCommand | null {
  const options = program.after === undefined ? 0 : afterWords(args, program, program.after);
  if (options === null) return null;
  const operand = firstOperand(args, program, options);
  let at = operand + (program.operands ?? 0);
  // `env A=1 -u B COMMAND`
  while (program.takesAssignments === true && isAssignment(args[at]))
    at = firstOperand(args, program, at + 1);
  return { options, firstOperand: operand, command: args[at] === "--" ? at + 1 : at };
}

function afterWords(args: readonly string[], options: Program, after: readonly string[]): number | null {
  const at = firstOperand(args, options);
  for (const words of after) {
    const wanted = words.split(" ");
    if (wanted.every((word, offset) => args[at + offset] === word)) return at + wanted.length;
  }
  return null;
}

function isAssignment(word: string | undefined): word is string {
  return word !== undefined && /^[A-Za-z_]\w*=/.test(word);
}

/** Follows the command that is given to a program to start. */
export function unwrap(launching: Launching, program: Program): Stream | undefined {
  const { folder } = program;
  if (folder === undefined) return start(launching, program);
  return inFolder(launching, optionValue(launching.command.args, ...folder), () => start(launching, program));
}

/** Follows what is started in another folder; undefined: in the same one. */
export function inFolder(
  { state }: Launching,
  folder: string | undefined,
  follow: () => Stream | undefined,
): Stream | undefined {
  const before = state.folders;
  if (folder !== undefined) state.changeFolder(isPlain(folder) ? folder : null);
  const printed = follow();
  state.folders = before;
  return printed;
}

function start(launching: Launching, program: Program): Stream | undefined {
  const { command, run, runText, assign, state } = launching;
  const { args } = command;
  const found = findCommand(args, program);
  if (found === null) return program.runsByName === true ? runByName(launching, program) : undefined;
  const line = lineAmong(args, program, found);
  if (line !== undefined) return runText(line);
  // Without a command it is a shell that reads its own input. `echo word | sudo -S -v` starts none.
  const isAlone = found.command >= args.length;
  if (isAlone && args.some((arg) => program.shell?.test(arg))) return run(["sh"]);
  for (const assignment of args.slice(found.firstOperand, found.command).filter(isAssignment)) {
    const at = assignment.indexOf("=");
    assign(assignment.slice(0, at), assignment.slice(at + 1));
    state.exported.set(assignment.slice(0, at), "yes");
  }
  const [name, ...rest] = args.slice(found.command);
  if (name === undefined) return undefined;
  // `npx npm@latest publish`
  return run([program.takesPackages === true ? name.replace(/(?<=.)(?:@|==).*$/, "") : name, ...rest]);
}

/** Finds a line for a shell among its own options: `-c` behind the command's name is the command's. */
function lineAmong(
  args: readonly string[],
  { line }: Program,
  { options, firstOperand: operand, command }: FoundCommand,
): string | undefined {
  if (line === undefined) return undefined;
  // The value of the last option counts as the first operand.
  const own = optionValue(args.slice(options, operand + 1), ...line);
  // `flock FILE -c LINE`
  return own ?? (args[command]?.startsWith("-") ? optionValue(args.slice(command), ...line) : undefined);
}

function runByName({ command, run }: Launching, program: Program): Stream | undefined {
  const named = command.args.slice(firstOperand(command.args, program));
  const [name] = named;
  if (name === undefined) return undefined;
  // `yarn workspace NAME uninstall x` is yarn again, in that workspace.
  if (name === "workspace") return run([command.program, ...named.slice(2)]);
  return isPlain(name) ? run(named) : undefined;
}
