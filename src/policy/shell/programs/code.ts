import type { Launching } from "./launching.ts";
import type { Program } from "./program.ts";
import { hasUnknown } from "../marks.ts";
import { optionValue } from "./options.ts";

/** Follows the programs that code starts which is given to an interpreter. */
export function runCode(launching: Launching, program: Program): undefined {
  const { command, run, opaque, written } = launching;
  const { stdin } = command;
  const { language = "", code: letters = "", longCode = [] } = program;
  // In `-MFile::Path` and `-ropen-uri` no letter is an option.
  const args = /^(?:perl|ruby)$/.test(language)
    ? command.args.filter((arg) => !/^-[MmIrF]/.test(arg))
    : command.args;
  const given = [
    ...[...letters].map((letter) => optionValue(args, letter)),
    optionValue(args, null, ...longCode),
  ];
  const code = given.find((text) => text !== undefined) ?? (args[0] === "eval" ? args[1] : undefined);
  // `python -m twine upload` is twine.
  const module = language === "python" ? moduleOf(args) : null;
  if (module !== null) {
    run(module);
    return;
  }
  const [file] = args.filter((arg) => !arg.startsWith("-") && arg !== "run");
  // A file is not opened, unless the line has written it itself.
  const text = file === undefined ? stdin : written(file);
  if (code === undefined && file !== undefined && text === null) opaque("it runs a file it has just written");
  command.code = code ?? text ?? null;
  if (command.code === null) return;
  if (hasUnknown(command.code)) opaque(`part of the ${language} it runs is known only then`);
  runCalls(command.code, launching);
}

/** What `-m twine upload`, `-mtwine upload` or `-um twine upload` runs; null when it runs no module. */
function moduleOf(args: readonly string[]): readonly string[] | null {
  // `-W ignore` and `-X dev` have a value.
  const isValue = (at: number) => /^-[A-Za-z]*[WX]$/.test(args[at - 1] ?? "");
  const at = args.findIndex((arg, at) => (arg.startsWith("-") ? /^-[A-Za-z]*[cm]/.test(arg) : !isValue(at)));
  const [, name] = /^-[A-Zb-ln-z]*m(.*)$/s.exec(args[at] ?? "") ?? [];
  if (name === undefined) return null;
  return name === "" ? args.slice(at + 1) : [name, ...args.slice(at + 1)];
}

/** Longer code is not looked into. */
export const maxCodeChars = 64 * 1024;
/** A text in quotes. */
const literal = /[rbf]?(?:"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})')/y;
const betweenLiterals = /[\s,[\]]*/y;
/** What is put together from parts is known only then. */
const joins = /\s*[+%.`$]/y;

const startCall =
  /\b(?:os\.(?:system|popen|exec\w+|spawn\w+)|subprocess\.\w+|pty\.spawn|IO\.popen|Open3\.\w+)\s*\(|\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|system|popen|shell_exec|passthru|proc_open|pcntl_exec)\s*(?:\(\s*)?(?=["'[])|\b(?:os\.execute|do shell script)\s*(?=["'[])/g;
/** Python's other names for it. Elsewhere, and without a bracket after them, they are words like any other. */
const pythonCall =
  /(?<!subprocess\.)\b(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput|create_subprocess_\w+)\s*\(\s*(?=["'[])/g;
/** A way to start programs that goes by another name from there on. */
const renames =
  /\b(?:system|popen|run|call|Popen|check_\w+|exec(?:[lv]p?e?|Sync|File\w*)?|spawn\w*)\s+as\s+\w|getattr\s*\(\s*(?:os|subprocess|__import__)/;
const deleteCall =
  /\b(?:shutil\.rmtree|rmSync|rmdirSync|fs\.rm|fs\.unlink\w*|unlinkSync|os\.remove|os\.unlink|os\.rmdir|FileUtils\.rm\w*|File\.delete|rimraf|rmtree|remove_tree|promises(?:["']\s*\))?\.(?:rm|rmdir|unlink)|Deno\.remove\w*|os\.removedirs|FileUtils\.remove\w*|(?<!\.)unlink|require\(\s*["'](?:node:)?fs["']\s*\)\.(?:rm|rmdir|unlink))\s*\(/g;
/** Ruby and Perl need no brackets. */
const bareDeleteCall = /\b(?:FileUtils\.(?:rm|remove)\w*|File\.delete|rmtree|remove_tree|unlink)\s+(?=["'])/g;
const deletedPath = /\bPath\(\s*["']([^"'\n]{1,4000})["']\s*\)\s*\.\s*(?:unlink|rmdir)\b/g;
/** `qx(…)`, `%x(…)`, `system qw(…)` with any brackets, and backticks. */
const backticks =
  /(?:\bqx|%x|\b(?:system|exec)\s*(?:\(\s*)?qw)\s*[^\w\s]([^)}\]>/|!]{1,4000})|`([^`]{1,4000})`/g;
const pipes = /\bopen\b[^;\n]{0,200}["'](?:-?\||[^"'\n]{0,4000}\|\s*["'])/;
const evaluates = /\b(?:exec|eval|compile|Function)\b/;
const decodes = /b64|base64|atob|fromhex|unhexlify|rot13|decompress|(?:\\x[0-9a-f]{2}){4}/i;

/** Follows the programs that code starts and the files it deletes, where they are named in so many words. */
function runCalls(code: string, { run, runText, opaque, command }: Launching): void {
  if (code.length > maxCodeChars) {
    opaque(`the ${command.program} code is too long`);
    return;
  }
  const isPython = /^(?:python|pypy)/.test(command.program);
  for (const call of [...code.matchAll(startCall), ...(isPython ? code.matchAll(pythonCall) : [])]) {
    const texts = textsAt(code, call.index + call[0].length);
    const [line] = texts ?? [];
    if (texts === null || line === undefined) {
      opaque(`which program the ${command.program} code starts is known only then`);
    } else if (texts.length === 1) runText(line);
    // `os.execvp(file, arguments)`: the first of those is the name again.
    else run(call[0].startsWith("os.exec") ? texts.slice(1) : texts);
  }
  const isBracketless = /^(?:perl|ruby)/.test(command.program);
  const bare = isBracketless ? code.matchAll(bareDeleteCall) : [];
  for (const call of [...code.matchAll(deleteCall), ...bare]) {
    const [path] = textsAt(code, call.index + call[0].length) ?? [];
    if (path !== undefined) run(["rm", "-r", path]);
    else opaque(`what the ${command.program} code deletes is known only then`);
  }
  for (const [, path = ""] of code.matchAll(deletedPath)) run(["rm", path]);
  if (renames.test(code)) opaque(`the ${command.program} code starts programs by another name`);
  if (/^(?:perl|ruby|php)/.test(command.program)) {
    for (const [, quoted, ticks] of code.matchAll(backticks)) runText(quoted ?? ticks ?? "");
    if (pipes.test(code)) opaque(`the ${command.program} code opens a program`);
  }
  if (evaluates.test(code) && decodes.test(code)) opaque(`the ${command.program} code decodes what it runs`);
}

/** The texts that stand there one after the other, in a list or not; null when more than texts stands there. */
function textsAt(code: string, from: number): string[] | null {
  const texts: string[] = [];
  for (let at = from; ; ) {
    betweenLiterals.lastIndex = at;
    at += betweenLiterals.exec(code)?.[0].length ?? 0;
    literal.lastIndex = at;
    const found = literal.exec(code);
    if (found === null || texts.length > 100) return texts;
    at += found[0].length;
    joins.lastIndex = at;
    if (joins.test(code)) return null;
    texts.push(found[1] ?? found[2] ?? "");
  }
}

/** What looks for quotes in it takes as long as its length squared. */
const maxAwkChars = 16 * 1024;

/** `system("…")`, `"…" | getline` and `print | "…"` are lines for a shell. */
export function runAwk({ command, runText, opaque }: Launching): undefined {
  const text = command.args.join("\n");
  if (text.length > maxAwkChars) return void opaque("the awk code is too long");
  const line = String.raw`"((?:[^"\\]|\\.){1,4000})"`;
  for (const pattern of [`\\bsystem\\s*\\(\\s*${line}`, `${line}\\s*\\|&?\\s*getline`, `\\|&?\\s*${line}`]) {
    for (const [, found = ""] of text.matchAll(new RegExp(pattern, "g")))
      runText(found.replaceAll(/\\(.)/g, "$1"));
  }
  if (/\bsystem\s*\(\s*[^"\s]|\|&?\s*"(?:\S*\/)?(?:ba|da|z|k)?sh"/.test(text))
    opaque("what awk gives to a shell is known only then");
}

/** GNU sed: `1e LINE` runs a line, `s/x/y/e` what has been put together. */
export function runSed({ command, runText, opaque }: Launching): undefined {
  const texts = command.args.filter((arg, at) => !/^-(?!e.|-e)/.test(arg) && command.args[at - 1] !== "-i");
  for (const text of texts) {
    const script = text.replace(/^(?:-e|--expression=)/, "");
    const [, line] = /^(?:\d+|\$|\/[^/]*\/)?\s*e\s+([\s\S]+)$/.exec(script) ?? [];
    if (line !== undefined) runText(line);
    if (
      /^(?:\d+|\$|\/[^/]*\/)?s([/|#,:@])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[gpiImM\d]*e/.test(script)
    ) {
      opaque("what sed gives to a shell is known only then");
    }
  }
}

/** Its makefile is a file like any script; what it is given here to evaluate is not followed. */
export function runMake({ command, opaque }: Launching): undefined {
  const isFromStdin = command.args.some(
    (arg, at) => arg === "-f-" || (arg === "-" && command.args[at - 1] === "-f"),
  );
  if (isFromStdin || command.args.some((arg) => /^(--eval\b|-E|SHELL=|\.SHELLFLAGS=)/.test(arg))) {
    opaque("what make is given to evaluate is not followed");
  }
}

const tarRuns =
  /^--(?:checkpoint-action|to-command|use-compress-program|info-script|rsh-command)=(?:exec=)?([\s\S]*)$/;

export function runTar({ command, runText }: Launching): undefined {
  const { args } = command;
  for (const [at, arg] of args.entries()) {
    const [, line] = tarRuns.exec(arg) ?? [];
    if (line !== undefined && !/^(dot|echo|bell|sleep|ttyout|totals)/.test(line)) runText(line);
    if (/^(-I|-F|--to-command|--use-compress-program|--checkpoint-action)$/.test(arg)) {
      runText((args[at + 1] ?? "").replace(/^exec=/, ""));
    }
  }
}
