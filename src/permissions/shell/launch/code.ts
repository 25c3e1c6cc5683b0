import type { Launcher, Launching } from "../launchers.ts";
import { hasUnknown } from "../marks.ts";
import { optionValue } from "./options.ts";

/** Interpreters of other languages, and the option that takes a program as text. */
export const interpreters: Readonly<Record<string, readonly string[]>> = {
  python: ["c"],
  pypy: ["c"],
  perl: ["e", "E"],
  ruby: ["e"],
  node: ["e", "p"],
  nodejs: ["e", "p"],
  bun: ["e", "p"],
  deno: [],
  php: ["r"],
  lua: ["e"],
  osascript: ["e"],
  tclsh: [],
  rscript: ["e"],
};

/** `python3.12` is `python`. */
export function interpreterOf(program: string): string | null {
  const base = program.replace(/[\d.]+$/, "");
  return Object.hasOwn(interpreters, base) ? base : null;
}

export const codeRunners: Readonly<Record<string, Launcher>> = {
  awk: runAwk,
  gawk: runAwk,
  mawk: runAwk,
  nawk: runAwk,
  make: runMake,
  gmake: runMake,
  tar: runTar,
  bsdtar: runTar,
};

const longOptions: Readonly<Record<string, string>> = { e: "eval", p: "print" };

export function runCode(launching: Launching): undefined {
  const { command, run, opaque } = launching;
  const { args, stdin } = command;
  const language = interpreterOf(command.program) ?? "";
  const given = (interpreters[language] ?? []).map((letter) =>
    optionValue(args, letter, longOptions[letter] ?? null),
  );
  const code = given.find((text) => text !== undefined) ?? (args[0] === "eval" ? args[1] : undefined);
  // `python -m twine upload` is twine.
  const module = language === "python" || language === "pypy" ? args.indexOf("-m") : -1;
  if (module !== -1) {
    run(args.slice(module + 1));
    return;
  }
  const isStdin = args.every((arg) => arg.startsWith("-"));
  command.code = code ?? (isStdin ? stdin : null);
  if (command.code === null) return;
  if (hasUnknown(command.code)) opaque(`part of the ${language} it runs is known only then`);
  runCalls(command.code, launching);
}

/** Longer code is not looked into. */
const maxCodeChars = 64 * 1024;
/** A text in quotes. */
const literal = /[rbf]?(?:"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})')/y;
const betweenLiterals = /[\s,[\]]*/y;
/** What is put together from parts is known only then. */
const joins = /\s*[+%.`$]/y;

const startCall =
  /\b(?:os\.(?:system|popen|exec\w+|spawn\w+)|subprocess\.\w+|pty\.spawn|IO\.popen|Open3\.\w+)\s*\(|\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|system|popen|shell_exec|passthru|proc_open|pcntl_exec)\s*(?:\(\s*)?(?=["'[])/g;
const deleteCall =
  /\b(?:shutil\.rmtree|rmSync|rmdirSync|fs\.rm|fs\.unlink\w*|unlinkSync|os\.remove|os\.unlink|os\.rmdir|FileUtils\.rm\w*|File\.delete|rimraf|rmtree|remove_tree)\s*\(/g;
const backticks = /\bqx\{([^}]{1,4000})\}|`([^`]{1,4000})`/g;
const evaluates = /\b(?:exec|eval|compile|Function)\b/;
const decodes = /b64|base64|atob|fromhex|unhexlify|rot13|decompress|(?:\\x[0-9a-f]{2}){4}/i;

/** Follows the programs that code starts and the files it deletes, where they are named in so many words. */
function runCalls(code: string, { run, runText, opaque, command }: Launching): void {
  if (code.length > maxCodeChars) {
    opaque(`the ${command.program} code is too long`);
    return;
  }
  for (const call of code.matchAll(startCall)) {
    const texts = textsAt(code, call.index + call[0].length);
    const [line] = texts ?? [];
    if (texts === null || line === undefined) {
      opaque(`which program the ${command.program} code starts is known only then`);
    } else if (texts.length === 1) runText(line);
    else run(texts);
  }
  for (const call of code.matchAll(deleteCall)) {
    const [path] = textsAt(code, call.index + call[0].length) ?? [];
    if (path !== undefined) run(["rm", "-r", path]);
    else opaque(`what the ${command.program} code deletes is known only then`);
  }
  if (/^(?:perl|ruby|php)/.test(command.program)) {
    for (const [, quoted, ticks] of code.matchAll(backticks)) runText(quoted ?? ticks ?? "");
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

/** `system("…")`, `"…" | getline` and `print | "…"` are lines for a shell. */
function runAwk({ command, runText, opaque }: Launching): undefined {
  const text = command.args.join("\n");
  const line = String.raw`"((?:[^"\\]|\\.){1,4000})"`;
  for (const pattern of [`\\bsystem\\s*\\(\\s*${line}`, `${line}\\s*\\|&?\\s*getline`, `\\|&?\\s*${line}`]) {
    for (const [, found = ""] of text.matchAll(new RegExp(pattern, "g")))
      runText(found.replaceAll(/\\(.)/g, "$1"));
  }
  if (/\bsystem\s*\(\s*[^"\s]/.test(text)) opaque("what awk gives to a shell is known only then");
}

/** Its makefile is a file like any script; what it is given here to evaluate is not followed. */
function runMake({ command, opaque }: Launching): undefined {
  if (command.args.some((arg) => /^(--eval\b|-E|SHELL=|\.SHELLFLAGS=)/.test(arg))) {
    opaque("what make is given to evaluate is not followed");
  }
}

const tarRuns =
  /^--(?:checkpoint-action|to-command|use-compress-program|info-script|rsh-command)=(?:exec=)?([\s\S]*)$/;

function runTar({ command, runText }: Launching): undefined {
  const { args } = command;
  for (const [at, arg] of args.entries()) {
    const [, line] = tarRuns.exec(arg) ?? [];
    if (line !== undefined && !/^(dot|echo|bell|sleep|ttyout|totals)/.test(line)) runText(line);
    if (/^(-I|-F|--to-command|--use-compress-program|--checkpoint-action)$/.test(arg)) {
      runText((args[at + 1] ?? "").replace(/^exec=/, ""));
    }
  }
}
