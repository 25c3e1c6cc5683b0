import type { ShellCommand } from "../../shell/command.ts";
import { optionValue } from "../../shell/programs/options.ts";
import { operands } from "./flags.ts";
import { absolutePath } from "./place.ts";
import { words } from "../../shell/programs/words.ts";

const downloaders: ReadonlySet<string> = words(`
  curl wget wget2 fetch aria2c axel http https xh curlie lynx w3m links elinks nc ncat netcat socat ftp
  lftp tftp iwr irm invoke-webrequest invoke-restmethod`);

/** Whether a command brings something in from elsewhere. */
function isDownloader({ program, args }: ShellCommand): boolean {
  if (downloaders.has(program)) return true;
  switch (program) {
    case "openssl":
      return args[0] === "s_client";
    case "aws":
    case "gsutil":
    case "gcloud":
      return (args.includes("cp") || args.includes("cat")) && args.some((arg) => /^(?:s3|gs):\/\//.test(arg));
    case "scp":
    case "rsync":
      return operands(args).slice(0, -1).some(isElsewhere);
    case "gh":
      return args[0] === "api" || (args[0] === "gist" && args[1] === "view");
    default:
      return false;
  }
}

/** Commands that read files which were fetched before, and what has brought those in. */
export type Readers = ReadonlyMap<ShellCommand, ShellCommand>;

/** The download among commands, or among whatever they read in turn: other commands, and files that were fetched before. */
export function downloadIn(commands: readonly ShellCommand[], readers?: Readers): ShellCommand | null {
  const seen = new Set(commands);
  for (const command of seen) {
    if (isDownloader(command)) return command;
    const source = readers?.get(command);
    if (source !== undefined) return source;
    // Those that are added are looked at too, each once.
    for (const before of command.inputs) seen.add(before);
    for (const before of command.substituted) seen.add(before);
  }
  return null;
}

export function readFiles({ args, redirects }: ShellCommand): string[] {
  const files = redirects.filter(({ operator }) => operator === "<").map(({ target }) => target);
  return [...args, ...files];
}

/** The files a download ends in, from this command. */
export function downloadedFiles(command: ShellCommand): string[] {
  const files = [...redirectedFiles(command), ...(isDownloader(command) ? namedFiles(command) : [])];
  if (files.length === 0 || downloadIn([command]) === null) return [];
  return files.map((file) => absolutePath(file, command.cwd));
}

function redirectedFiles({ program, args, redirects }: ShellCommand): string[] {
  const files = redirects.filter(({ operator }) => operator.includes(">")).map(({ target }) => target);
  if (program === "dd")
    return [...files, ...args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3))];
  return program === "tee" || program === "sponge" ? [...files, ...operands(args)] : files;
}

/** `host:file`, `me@host:file`. */
function isElsewhere(word: string): boolean {
  return /^[\w.@-]+:/.test(word);
}

/** These name where from and where to; that may be a folder. */
const copiers: ReadonlySet<string> = new Set(["scp", "rsync", "aws", "gsutil", "gcloud"]);

function copiedTo(args: readonly string[]): string[] {
  const words = operands(args);
  const to = words.pop() ?? "-";
  const names = words.map((word) => word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf(":")) + 1));
  return to === "-" ? [] : [to, ...names.filter((name) => name !== "").map((name) => `${to}/${name}`)];
}

/** `-o FILE`, or the last part of the address. */
function namedFiles({ program, args }: ShellCommand): string[] {
  if (copiers.has(program)) return copiedTo(args);
  const isWget = program === "wget" || program === "wget2";
  const named = isWget ? optionValue(args, "O", "output-document") : optionValue(args, "o", "output");
  if (named !== undefined) return [named];
  const isNamedByAddress = isWget || program === "aria2c" || program === "axel";
  if (!isNamedByAddress && !args.some((arg) => /^-[A-Za-z]*O|^--remote-name/.test(arg))) return [];
  const folder = isWget ? optionValue(args, "P", "directory-prefix") : optionValue(args, null, "output-dir");
  // The scheme may be left out.
  const names = operands(args).flatMap(
    (arg) => /^(?:\w+:\/\/)?[^/]+\/(?:.*\/)?([^/?#]+)/.exec(arg)?.[1] ?? [],
  );
  return folder === undefined ? names : names.map((name) => `${folder}/${name}`);
}
