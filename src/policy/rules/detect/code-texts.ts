import type { ShellCommand } from "../../shell/command.ts";
import { joinedTexts } from "./joined-texts.ts";

/** Longer texts are cut: what is looked for in them takes time by their length. */
const maxChars = 64 * 1024;

/** Programs that take code of their own among their words, wherever it stands. */
const codeTakers: ReadonlySet<string> = new Set([
  ...["awk", "gawk", "mawk", "nawk", "vim", "vi", "nvim", "ex", "ed", "emacs", "emacsclient"],
  ...["expect", "gdb", "lldb", "sqlite3", "duckdb", "psql", "mysql", "m4", "bc", "jq", "yq", "socat"],
]);

/** The option before a program in a language, whatever language that is: `julia -e`, `elixir --eval`. */
const codeOption = /^(?:-[A-Za-z]*[ceEprx]|--(?:eval|exec|execute|expression|command|print|batch|run)|eval)$/;

/** Of these, such an option takes a text or a pattern. */
const textOptions: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "sed", "gsed", "echo"]);

/** The code a command is given, of every language, with what is joined in it put together. */
export function codeTexts({ program, args, code }: ShellCommand): string[] {
  const texts = code === null ? [] : [code];
  if (codeTakers.has(program)) texts.push(...args);
  else if (!textOptions.has(program)) {
    for (const [at, arg] of args.entries()) {
      if (at > 0 && codeOption.test(args[at - 1] as string) && /[\s"'`(]/.test(arg)) texts.push(arg);
    }
  }
  return texts.map((text) => joinedTexts(text.slice(0, maxChars)));
}
