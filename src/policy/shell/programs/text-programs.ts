import type { ShellCommand } from "../command.ts";
import { words } from "./words.ts";

/** Programs to which words are a text, whatever it says. */
const textPrograms: ReadonlySet<string> = words(`
  echo printf grep egrep fgrep zgrep rg ag ack git gh glab jq cat ls man tldr apropos sed gsed less head
  tail wc mkdir touch rm cp mv ln test [ [[ cd export read set say notify-send logger find fd diff tee vim
  vi nvim code nano swarm-hook true false : jest vitest mocha ava pytest rspec eslint prettier biome tsc
  pgrep which type whereis locate playwright cypress figlet cowsay linear jira hub yq wall`);

export function takesOnlyText(program: string): boolean {
  return textPrograms.has(program);
}

/** Options whose value is a text for people, or picks tests by their names. */
const textOption =
  /^--(?:message|title|body|notes?|subject|description|comment|reason|grep|invert-grep|test-name-pattern|test-skip-pattern|testNamePattern)$/;

/** Whether an argument is a text for people, or picks tests by their names: it starts nothing, whatever it says. */
export function isTextValue({ args }: Pick<ShellCommand, "args">, at: number): boolean {
  const [arg = "", before = ""] = [args[at], args[at - 1]];
  return textOption.test(before) || (arg.startsWith("--") && textOption.test(arg.split("=", 1)[0] ?? ""));
}

/** `s/from/to/` of perl's and ruby's: a replacement of texts, which runs nothing without the flag `e`. */
export function isReplacement(code: string): boolean {
  return /^\s*(?:s|y|tr)([/|#,:@!~])(?:(?!\1)[^\\$@`]|\\.){0,2000}\1(?:(?!\1)[^\\$@`]|\\.){0,2000}\1[gimsxo]{0,6}\s*;?\s*$/s.test(
    code,
  );
}

const gitMessage = /^(?:commit|tag|merge|notes|stash|revert|cherry-pick)$/;
const messagePrograms: ReadonlySet<string> = new Set(["git", "gh", "glab", "hub", "jira", "linear"]);

/** Whether an argument is the message of a commit, or a text of an issue: it names no file, whatever it mentions. */
export function isMessage({ program, args }: Pick<ShellCommand, "program" | "args">, at: number): boolean {
  if (!messagePrograms.has(program)) return false;
  const before = args[at - 1] ?? "";
  if (program !== "git") return /^-[bdmnt]$/.test(before) || isTextValue({ args }, at);
  if (!args.some((arg) => gitMessage.test(arg))) return isTextValue({ args }, at);
  return /^-[a-z]*m$/.test(before) || /^-m./.test(args[at] ?? "") || isTextValue({ args }, at);
}
