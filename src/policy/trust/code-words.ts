import { basename } from "node:path";

/** A word of a command that names a file the command runs. */
export interface CodeWord {
  /** Which word. */
  readonly index: number;
  /** What of the word stands before the path: `--import=`. */
  readonly prefix: string;
  readonly path: string;
}

/**
 * Which words of one command name code: the program, and what an interpreter is given to run. A position decides, never a
 * look at the file: `grep -q config/deploy.sh` is about a file's name, and a guard that asks for it must go on doing so.
 * `words` are null where only the shell will know.
 */
export function codeWords(words: readonly (string | null)[], from = 0): CodeWord[] {
  const start = skipWhile(words, from, (word) => reserved.has(word) || /^[A-Za-z_]\w*=/.test(word));
  const program = words[start];
  if (program === undefined || program === null) return [];
  const name = nameOf(program);
  const own = program.includes("/") ? [{ index: start, prefix: "", path: program }] : [];
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper !== undefined) return [...own, ...wrapped(words, start + 1, wrapper)];
  const interpreter = interpreters.find(({ names }) => names.test(name));
  return interpreter === undefined ? own : [...own, ...interpreted(words, start + 1, interpreter)];
}

/** After these a command begins. */
const reserved = new Set(["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done"]);

/** A program that runs another: its options, then this many words of its own, then the other one. */
interface Wrapper {
  readonly values: readonly string[];
  readonly operands?: number;
  /** What it must begin with to be one. */
  readonly verb?: string;
}

const plain: Wrapper = { values: [] };
const wrappers: Readonly<Record<string, Wrapper>> = {
  exec: { values: ["-a"] },
  command: plain,
  nohup: plain,
  setsid: plain,
  time: plain,
  chronic: plain,
  env: { values: ["-u", "--unset", "-C", "--chdir"] },
  nice: { values: ["-n", "--adjustment"] },
  ionice: { values: ["-c", "-n", "--class", "--classdata"] },
  stdbuf: { values: ["-i", "-o", "-e"] },
  timeout: { values: ["-s", "--signal", "-k", "--kill-after"], operands: 1 },
  sudo: { values: ["-u", "-g", "-C", "-D", "-h", "-p", "-r", "-t", "-T", "-U"] },
  doas: { values: ["-u", "-C"] },
  xargs: { values: ["-I", "-n", "-P", "-L", "-s", "-d", "-E", "-a"] },
  npx: { values: ["-p", "--package", "-c", "--call"] },
  bunx: plain,
  uvx: { values: ["--from", "--with", "--python"] },
  uv: { values: ["--with", "--python", "-p"], verb: "run" },
  poetry: { values: [], verb: "run" },
  pipenv: { values: [], verb: "run" },
  bundle: { values: [], verb: "exec" },
  pnpm: { values: [], verb: "exec" },
  yarn: { values: [], verb: "exec" },
};

function wrapped(words: readonly (string | null)[], from: number, wrapper: Wrapper): CodeWord[] {
  const { values, operands = 0, verb } = wrapper;
  const first = verb === undefined ? from : from + 1;
  if (verb !== undefined && words[from] !== verb) return [];
  const end = skipOptions(words, first, values) + operands;
  // `uv run hook.py` runs a file by its name alone; a program by that name is looked for in PATH.
  const next = words[end];
  if (verb !== undefined && typeof next === "string" && /\.\w+$/.test(next) && !next.includes("/"))
    return [{ index: end, prefix: "", path: next }];
  return codeWords(words, end);
}

/** A program that runs what a file says. */
interface Interpreter {
  readonly names: RegExp;
  /** With these it is given code as a text and runs no file. */
  readonly inline: RegExp;
  /** Options that take the next word. */
  readonly values: readonly string[];
  /** Those of them whose word names a file that is run as well. */
  readonly files?: readonly string[];
  /** Those whose word names a module that is: one of the project's, if it is written as a path. */
  readonly modules?: readonly string[];
  /** What may stand before the file; after it a bare name is one of a list elsewhere: `bun run lint`. */
  readonly verb?: string;
  /** Runs no file but those its options name: `sed -f`. */
  readonly hasNoFile?: true;
}

const nodeModules = ["-r", "--require", "--import", "--loader", "--experimental-loader"];
const interpreters: readonly Interpreter[] = [
  {
    names: /^(?:sh|bash|dash|zsh|ksh|ash|mksh)$/,
    inline: /^-[a-zA-Z]*[cs]/,
    values: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
    files: ["--rcfile", "--init-file"],
  },
  { names: /^(?:\.|source)$/, inline: /^$/, values: [] },
  {
    names: /^(?:node|nodejs|tsx|ts-node|bun|deno|qjs)$/,
    inline: /^(?:-p?e|-pe?|--eval|--print)$/,
    values: [...nodeModules, "-C", "--conditions", "--env-file", "--preload", "--config", "-c", "--tsconfig"],
    modules: [...nodeModules, "--preload"],
    verb: "run",
  },
  { names: /^(?:python|pypy)[\d.]*$/, inline: /^-[a-zA-Z]*[cm]/, values: ["-W", "-X"] },
  { names: /^perl[\d.]*$/, inline: /^-(?![MIm])[a-zA-Z0]*[eE]$/, values: ["-I"] },
  {
    names: /^(?:ruby|jruby)$/,
    inline: /^-(?![rICE])[a-z]*e$/,
    values: ["-I", "-r", "-C", "-E"],
    modules: ["-r"],
  },
  { names: /^php[\d.]*$/, inline: /^-[rBRE]$/, values: ["-d", "-c", "-z", "-f"], files: ["-f"] },
  { names: /^(?:lua|luajit)[\d.]*$/, inline: /^-e/, values: ["-l"] },
  { names: /^Rscript$/, inline: /^-e$/, values: [] },
  {
    names: /^(?:pwsh|powershell)$/,
    inline: /^-(?:c|Command)$/i,
    values: ["-File", "-f"],
    files: ["-File", "-f"],
  },
  { names: /^[gmn]?awk$/, inline: /^$/, values: ["-f", "-F", "-v"], files: ["-f"], hasNoFile: true },
  { names: /^sed$/, inline: /^$/, values: ["-f", "-e"], files: ["-f"], hasNoFile: true },
  {
    names: /^jq$/,
    inline: /^$/,
    values: ["-f", "--from-file"],
    files: ["-f", "--from-file"],
    hasNoFile: true,
  },
  {
    names: /^g?make$/,
    inline: /^$/,
    values: ["-f", "-C", "--file"],
    files: ["-f", "--file"],
    hasNoFile: true,
  },
];

function interpreted(words: readonly (string | null)[], from: number, interpreter: Interpreter): CodeWord[] {
  const { inline, values, files = [], modules = [], verb, hasNoFile } = interpreter;
  const found: CodeWord[] = [];
  const addOperand = (option: string, index: number, prefix: string, path: string): void => {
    const isOurs = files.includes(option) || (modules.includes(option) && /^(?:\.{0,2}\/|\.\.?$)/.test(path));
    if (isOurs) found.push({ index, prefix, path });
  };
  let hasVerb = false;
  for (let index = from; index < words.length; index++) {
    const word = words[index];
    if (word === null || word === undefined) return found; // a variable: nobody knows what it is
    if (inline.test(word)) return found;
    if (/^[-+]/.test(word)) {
      const [, option, path] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
      if (option !== undefined && path !== undefined) addOperand(option, index, `${option}=`, path);
      if (!values.includes(word)) continue;
      index++;
      addOperand(word, index, "", words[index] ?? "");
      continue;
    }
    if (hasNoFile === true) continue;
    if (word === verb && !hasVerb) {
      hasVerb = true;
      continue;
    }
    if (!hasVerb || /[/.]/.test(word)) found.push({ index, prefix: "", path: word });
    return found;
  }
  return found;
}

/** Where the words after the options begin. */
function skipOptions(words: readonly (string | null)[], from: number, values: readonly string[]): number {
  let index = from;
  for (; index < words.length; index++) {
    const word = words[index];
    if (typeof word !== "string" || !(word.startsWith("-") || /^[A-Za-z_]\w*=/.test(word))) return index;
    if (word === "--") return index + 1;
    if (values.includes(word)) index++;
  }
  return index;
}

function skipWhile(
  words: readonly (string | null)[],
  from: number,
  isSkipped: (word: string) => boolean,
): number {
  let index = from;
  for (let word = words[index]; typeof word === "string" && isSkipped(word); word = words[index]) index++;
  return index;
}

function nameOf(program: string): string {
  return basename(program).replace(/\.exe$/i, "");
}
