import type { ShellCommand, ShellLine } from "../shell/command.ts";
import { interpreterOf } from "../shell/launch/code.ts";
import { optionValue } from "../shell/launch/options.ts";
import { shellPrograms } from "../shell/launch/shells.ts";
import { hasUnknown } from "../shell/marks.ts";
import { operands } from "./flags.ts";
import { absolutePath } from "./place.ts";

/** Something from the network is run without anybody having seen it. */
export function runsDownload(line: ShellLine): string | null {
  const downloaded = new Map<string, ShellCommand>();
  for (const command of line.commands) {
    const source = sourceOf(command, downloaded);
    if (source !== null)
      return `${source.path} into ${command.path === "" ? "a shell" : command.program || "a shell"}`;
    if (command.code !== null && fetches.test(command.code) && evaluates.test(command.code)) {
      return `${command.program} code that runs what it fetches`;
    }
    const socket = [...command.args, ...command.redirects.map(({ target }) => target)].find((word) =>
      socketPath.test(word),
    );
    if (socket !== undefined && (isRunner(command) || command.redirects.length > 0))
      return `${command.program} on ${socket}`;
    for (const file of filesFrom(command)) downloaded.set(file, command);
  }
  return null;
}

const fetches =
  /urlopen|urlretrieve|\burllib|\brequests\b|httpx|http\.client|\bfetch\s*\(|https?\.get|Net::HTTP|\bLWP\b|open-uri|URI\.open|file_get_contents\s*\(\s*["']https?|\bcurl\b|\bwget\b/;
const evaluates =
  /\bexec\b|\beval\b|\bcompile\s*\(|\bsystem\b|\bpopen\b|subprocess|\bspawn|\bFunction\s*\(|instance_eval|\brequire\s*\(\s*["']child_process/;
const socketPath = /^[&\d]*\/dev\/(?:tcp|udp)\//;

const downloaders: ReadonlySet<string> = new Set([
  "curl",
  "wget",
  "wget2",
  "fetch",
  "aria2c",
  "axel",
  "http",
  "https",
  "xh",
  "curlie",
  "lynx",
  "w3m",
  "links",
  "elinks",
  "nc",
  "ncat",
  "netcat",
  "socat",
  "ftp",
  "lftp",
  "tftp",
  "iwr",
  "irm",
  "invoke-webrequest",
  "invoke-restmethod",
]);

function isDownloader({ program, args }: ShellCommand): boolean {
  if (downloaders.has(program)) return true;
  const text = args.join(" ");
  if (program === "openssl") return args[0] === "s_client";
  if (program === "aws" || program === "gsutil" || program === "gcloud")
    return /\b(?:s3 cp|cp|cat)\b.*(?:s3|gs):\/\//.test(text);
  return program === "gh" && (args[0] === "api" || /^gist view/.test(text));
}

/** The download a command runs, if it runs one. */
function sourceOf(command: ShellCommand, downloaded: ReadonlyMap<string, ShellCommand>): ShellCommand | null {
  const { program, path, args, inputs, substituted, stdin, redirects, cwd } = command;
  // `$(curl …)` as a command, or code that is put together from what was fetched.
  if (program === "" && path !== "" && hasUnknown(path))
    return upstream([...substituted, ...inputs.filter(() => command.isNested)]);
  const called = downloaded.get(absolutePath(path, cwd));
  if (called !== undefined) return called;
  if (!isRunner(command)) return null;
  const script = scriptOf(command);
  if (script.isCode && hasUnknown(script.text)) return upstream(substituted);
  if (!script.isCode && script.text !== "") {
    if (
      /^https?:\/\//.test(script.text) ||
      (program === "deno" && args.some((arg) => /^https?:\/\//.test(arg)))
    )
      return command;
    if (script.text.startsWith("/dev/fd/") || script.text === "/dev/stdin" || hasUnknown(script.text)) {
      return upstream([...substituted, ...inputs]);
    }
    return downloaded.get(absolutePath(script.text, cwd)) ?? null;
  }
  if (script.isCode) return null;
  const file = redirects.find(({ operator }) => operator === "<")?.target;
  if (file !== undefined && downloaded.has(absolutePath(file, cwd)))
    return downloaded.get(absolutePath(file, cwd)) ?? null;
  if (args.some((arg) => arg.startsWith("-") && /^-[A-Za-z]*m$/.test(arg)) && interpreterOf(program) !== null)
    return null;
  return stdin === null
    ? upstream([...inputs, ...substituted])
    : stdin.includes("\uE000")
      ? upstream([...substituted, ...inputs])
      : null;
}

const evaluators = new Set(["eval", "source", ".", "iex", "invoke-expression"]);

function isRunner({ program }: ShellCommand): boolean {
  return (
    shellPrograms.has(program) ||
    evaluators.has(program) ||
    interpreterOf(program) !== null ||
    program === "pwsh" ||
    program === "powershell"
  );
}

/** What it runs: code it is given in its words, a file, or, with neither, what it reads. */
function scriptOf(command: ShellCommand): { readonly text: string; readonly isCode: boolean } {
  const { program, args, code } = command;
  if (program === "eval" || program === "iex" || program === "invoke-expression")
    return { text: args.join(" "), isCode: args.length > 0 };
  if (program === "source" || program === ".") return { text: args[0] ?? "", isCode: false };
  if (interpreterOf(program) !== null) {
    if (code !== null && command.stdin !== code) return { text: code, isCode: true };
    const [file = ""] = operands(args);
    return { text: args.includes("-m") ? "-" : file === "-" ? "" : file, isCode: args.includes("-m") };
  }
  const at = args.findIndex((arg) => /^-[A-Za-z]*c$/.test(arg));
  if (at !== -1) return { text: args[at + 1] ?? "", isCode: true };
  const isStdin = args.some((arg) => /^-[A-Za-z]*s[A-Za-z]*$/.test(arg));
  const [file = ""] = args.filter((arg) => !/^[-+]/.test(arg));
  return { text: isStdin ? "" : file, isCode: false };
}

/** A downloader among commands or whatever they read in turn. */
function upstream(commands: readonly ShellCommand[]): ShellCommand | null {
  const seen = new Set(commands);
  for (const command of seen) {
    if (isDownloader(command)) return command;
    // Those that are added are looked at too, each once.
    for (const before of command.inputs) seen.add(before);
    for (const before of command.substituted) seen.add(before);
  }
  return null;
}

/** Files a download ends in. */
function filesFrom(command: ShellCommand): string[] {
  const isCopy = command.program === "tee" && upstream(command.inputs) !== null;
  if (!isDownloader(command) && !isCopy && upstream(command.inputs) === null) return [];
  const files = command.redirects
    .filter(({ operator }) => operator.includes(">"))
    .map(({ target }) => target);
  if (isCopy) files.push(...operands(command.args));
  const named = optionValue(
    command.args,
    command.program === "wget" ? "O" : "o",
    command.program === "wget" ? "output-document" : "output",
  );
  if (named !== undefined) files.push(named);
  const isNamedByUrl =
    command.program === "wget" || command.args.some((arg) => /^-[A-Za-z]*O|^--remote-name/.test(arg));
  for (const arg of isNamedByUrl ? command.args : []) {
    const [, name] = /^(?:https?|ftp):\/\/.*\/([^/?#]+)/.exec(arg) ?? [];
    if (name !== undefined) files.push(name);
  }
  return files.map((file) => absolutePath(file, command.cwd));
}
