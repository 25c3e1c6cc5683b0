import { programName, type ShellCommand } from "../../../shell/command.ts";
import { readGit } from "../../../shell/programs/git.ts";
import { optionValue } from "../../../shell/programs/options.ts";
import { words } from "../../../shell/programs/words.ts";

/** Editors and pagers that start a shell when they are told to, and read keys from the terminal whatever their input is. */
const editors = words(`
  vi vim nvim view vimdiff rvim gvim ex ed emacs emacsclient nano pico joe mcedit micro helix hx kak jed
  ne red elvis vis`);
const pagers = new Set(["less", "more", "most", "lv", "pg", "info", "moar", "ov"]);

/** Commands that start the editor. */
const editing: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  crontab: (args) => args.includes("-e"),
  visudo: () => true,
  vipw: () => true,
  vigr: () => true,
  sudoedit: () => true,
  sudo: (args) => args.includes("-e") || args.includes("--edit"),
  kubectl: (args) => args.includes("edit"),
  systemctl: (args) => args.includes("edit"),
  man: (args) => isInteractiveName(optionValue(args, "P", "pager") ?? ""),
};

/** Whether it opens an editor or a pager on the terminal. `isPrinted`: what it prints is shown there, not piped. */
export function opensEditor(command: ShellCommand, isPrinted: boolean): boolean {
  const { program, args, assignments, stdin } = command;
  if (editors.has(program)) return stdin === null && !isScripted(program, args);
  if (pagers.has(program)) return isPrinted && !args.some((arg) => /^--?(?:version|help|V)$/i.test(arg));
  const edits = Object.hasOwn(editing, program) ? editing[program] : undefined;
  if (edits?.(args) === true && !args.includes("--help")) return true;
  if (program === "git" && gitSettings(args).some(isInteractiveSetting)) return true;
  if (assignments.some(([name, value]) => isInteractiveVariable(name, value))) return true;
  return setters.has(program) && args.some((arg) => isInteractiveVariable(...splitAssignment(arg)));
}

/** They take `NAME=value` among their words. */
const setters = new Set(["env", "export", "declare", "typeset", "readonly", "sudo", "local"]);

function splitAssignment(arg: string): [name: string, value: string] {
  const at = arg.indexOf("=");
  return at === -1 ? ["", ""] : [arg.slice(0, at), arg.slice(at + 1)];
}

/** `EDITOR=vim`, `GIT_PAGER=less`: what agents have set to `cat` is set back. */
function isInteractiveVariable(name: string, value: string): boolean {
  return /(?:EDITOR|VISUAL|PAGER)$/.test(name) && isInteractiveName(value);
}

function isInteractiveSetting(setting: string): boolean {
  const [, value] = /^(?:core\.(?:editor|pager)|sequence\.editor|pager\.[\w-]+)=(.*)$/is.exec(setting) ?? [];
  return value !== undefined && isInteractiveName(value);
}

function gitSettings(args: readonly string[]): readonly string[] {
  return readGit(args).settings;
}

function isInteractiveName(line: string): boolean {
  const [first = "", ...args] = line.trim().split(/\s+/);
  const program = programName(first);
  return (editors.has(program) && !isScripted(program, args)) || pagers.has(program);
}

/** `vim -es`, `nvim --headless`, `emacs --batch`, and whatever is told to quit. */
function isScripted(program: string, args: readonly string[]): boolean {
  if (args.some((arg) => /^--?(?:headless|batch|version|help|script)$|^-[Ees]*[Ee][Ees]*s/.test(arg)))
    return true;
  if (program === "emacsclient") return args.includes("-e") || args.includes("--eval");
  return args.some((arg, at) => {
    const [, line] = /^\+(.*)$/s.exec(arg) ?? (args[at - 1] === "-c" ? [arg, arg] : []);
    return line !== undefined && /(?:^|\|)\s*:?(?:w?q(?:a|all)?|x|xa|wqa|cq)!?\s*$/.test(line);
  });
}
