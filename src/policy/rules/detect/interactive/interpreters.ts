import type { ShellCommand } from "../../../shell/command.ts";
import type { Program } from "../../../shell/programs/program.ts";
import { findProgram } from "../../../shell/programs/table.ts";
import { readShellOptions, shellPrograms } from "../../../shell/programs/shells.ts";
import { givenOptions } from "./given-options.ts";
import type { LiveInput } from "./live-input.ts";

/** Whether a shell or an interpreter executes what it reads on stdin; null when it is none. */
export function executesInput(command: ShellCommand, live: LiveInput): boolean | null {
  const { program, args } = command;
  if (shellPrograms.has(program)) return shellReadsInput(command, live);
  if (program === "pwsh" || program === "powershell") return powershellReadsInput(args);
  const interpreter = findProgram(program);
  return interpreter?.language === undefined ? null : interpreterReadsInput(interpreter, command, live);
}

function shellReadsInput({ program, args }: ShellCommand, live: LiveInput): boolean {
  if (args.some((arg) => /^--(?:version|help)$/.test(arg))) return false;
  // fish takes commands to run before its prompt.
  if (program === "fish" && args.some((arg) => /^-C|^--init-command/.test(arg))) return true;
  const { isLine, isStdin, rest } = readShellOptions(args);
  if (isLine) return false;
  const [file = ""] = rest;
  return isStdin || file === "" || live.isLiveFile(file);
}

function powershellReadsInput(args: readonly string[]): boolean {
  if (args.some((arg) => /^[-/]noe/i.test(arg))) return true;
  return !args.some((arg) => /^[-/](?:c|e|f|v|h)/i.test(arg) || !/^[-/]/.test(arg));
}

const longEnds = new Set(["eval", "print", "version", "help", "test", "run", "check", "build-sea"]);

function interpreterReadsInput(interpreter: Program, command: ShellCommand, live: LiveInput): boolean {
  const { args, assignments, code } = command;
  const { language: name, ends = "" } = interpreter;
  const given = givenOptions(args, interpreter);
  // After the script, or instead of one.
  const isInspecting =
    // perl's and ruby's is for files that are changed in place.
    (given.options.has("i") && name !== "perl" && name !== "ruby") ||
    given.options.has("interactive") ||
    (name === "php" && given.options.has("a"));
  if (isInspecting || assignments.some(([variable]) => variable === "PYTHONINSPECT")) return true;
  if (name === "perl" && given.options.has("d")) return true;
  if (name === "ruby" && /^(?:debug|byebug|pry)/.test(given.options.get("r") ?? "")) return true;
  if (
    name === "python" &&
    /^(?:code|pdb|IPython|asyncio|ptpython|bpython)$/.test(given.options.get("m") ?? "")
  )
    return true;
  if (code !== null && evaluatesInput(code)) return true;
  const isEnded = [...given.options.keys()].some((key) =>
    key.length === 1 ? ends.includes(key) : longEnds.has(key),
  );
  if (isEnded) return false;
  const [file, ...more] = given.operands;
  if (name === "deno" || name === "bun")
    return file === undefined || file === "repl" || file === "-" || more[0] === "-";
  if (file === undefined || file === "-" || live.isLiveFile(file)) return true;
  if (name === "node" && file === "inspect") return true;
  // `python manage.py shell`, `php artisan tinker`
  return (
    /(?:^|\/)(?:manage\.py|artisan|console)$/.test(file) &&
    /^(?:shell|shell_plus|dbshell|tinker)$/.test(more[0] ?? "")
  );
}

const readsInput =
  /\bstdin\b|\binput\s*\(|\breadline|\bgets\b|\bSTDIN\b|\bARGF\b|<>|<STDIN>|\$_\b|\$<|\bfileinput\b|\/dev\/(?:stdin|tty)|openSync\(\s*0|readFileSync\(\s*0/;
const executes =
  /\b(?:exec|eval|system|popen|subprocess|child_process|compile|Function|vm\.run\w*|instance_eval|spawn|execSync|InteractiveConsole)\b|`/;
const opensPrompt =
  /\bcode\.interact|\bInteractiveConsole|\bIPython\.(?:embed|start)|\bbreakpoint\s*\(|\bset_trace\s*\(|\bbinding\.(?:irb|pry)|\brepl['"]?\s*\)?\s*\.start|\bpty\.spawn|\bIRB\.start/;

/** Code that runs what it reads, or opens a prompt itself. */
export function evaluatesInput(code: string): boolean {
  return opensPrompt.test(code) || (readsInput.test(code) && executes.test(code));
}
