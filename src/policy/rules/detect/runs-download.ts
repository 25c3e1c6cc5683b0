import { copiedFiles, type ShellCommand, type ShellLine } from "../../shell/command.ts";
import { interpreterOf } from "../../shell/programs/table.ts";
import { optionValue } from "../../shell/programs/options.ts";
import { shellPrograms } from "../../shell/programs/shells.ts";
import { hasUnknown } from "../../shell/marks.ts";
import { downloadedFiles, downloadIn, type Readers, readFiles } from "./downloads.ts";
import { operands } from "./flags.ts";
import { absolutePath } from "./place.ts";

/** Something from the network is run without anybody having seen it. */
export function runsDownload({ commands }: ShellLine): string | null {
  const downloaded = new Map<string, ShellCommand>();
  const readers = new Map<ShellCommand, ShellCommand>();
  for (const command of commands) {
    const program = command.program || "a shell";
    const fetched: Fetched = (file) => downloaded.get(absolutePath(file, command.cwd));
    // Once for each: a thousand shells may read from one command with ten thousand words.
    const [read] = downloaded.size === 0 ? [] : readFiles(command).flatMap((file) => fetched(file) ?? []);
    if (read !== undefined) readers.set(command, read);
    const source = downloadRunBy(command, fetched, readers) ?? downloadCalled(command, downloaded);
    if (source !== null) return `${source.path} into ${program}`;
    // `perl -MLWP::Simple`, `ruby -ropen-uri`: what fetches may stand before the code.
    if (
      command.code !== null &&
      fetches.test(command.args.join(" ") + command.code) &&
      evaluates.test(command.code)
    ) {
      return `${program} code that runs what it fetches`;
    }
    if (command.code !== null && evaluatesText.test(command.code)) {
      const input = downloadIn(command.inputs, readers);
      if (input !== null) return `${input.path} into ${program} code that runs what it reads`;
    }
    const socket = socketOf(command) ?? connectedShell(command);
    if (socket !== undefined) return `${program} on ${socket}`;
    for (const file of downloadedFiles(command)) downloaded.set(file, command);
    for (const { from, to } of copiedFiles(command)) {
      const copied = fetched(from);
      if (copied !== undefined) downloaded.set(absolutePath(to, command.cwd), copied);
    }
  }
  return null;
}

/** Which command has brought in a file; undefined: none of this line. */
type Fetched = (file: string) => ShellCommand | undefined;

/** Code that gets something from elsewhere, and code that runs a text. */
const fetches =
  /urlopen|urlretrieve|\burllib|\brequests\b|httpx|http\.client|\bfetch\s*\(|https?\.get|Net::HTTP|\bLWP\b|open-uri|URI\.open|file_get_contents\s*\(\s*["']https?|\bcurl\b|\bwget\b/;
const evaluates =
  /(?<!\.)\bexec\b|\beval\b|(?<!\.)\bcompile\s*\(|\bsystem\b|\bpopen\b|subprocess|\bspawn|\bFunction\s*\(|instance_eval|child_process|runIn\w*Context|runpy/;
/** The same of whatever comes in through a pipe; `/a/.exec(x)`, `re.compile` and `d["eval"]` run nothing. */
const evaluatesText =
  /(?<!\.)\b(?:exec|eval)\b(?!["'])|\bsystem\s*\((?!\s*["'])|\bFunction\s*\(|instance_eval|runIn\w*Context/;

/** A connection as a file, as bash has them. */
function socketOf({ redirects }: ShellCommand): string | undefined {
  return redirects.map(({ target }) => target).find((target) => /^[&\d]*\/dev\/(?:tcp|udp)\//.test(target));
}

/** What a connection is given to: `nc -e sh`, `socat tcp:… exec:sh`. */
function connectedShell({ program, args }: ShellCommand): string | undefined {
  if (program === "socat") {
    const isConnected = args.some((arg) => /^(?:tcp|udp|sctp|openssl|ssl|socks|proxy)\w*[:-]/i.test(arg));
    return isConnected ? args.find((arg) => /^(?:exec|system|shell):/i.test(arg)) : undefined;
  }
  if (!/^(?:nc|ncat|netcat)$/.test(program)) return undefined;
  const started = optionValue(args, "e", "exec") ?? optionValue(args, null, "sh-exec");
  // To some -c means another thing, and takes no value.
  const line = optionValue(args, "c", null);
  return started ?? (/(?:^|[\s/])(?:ba|da|a|k|z)?sh(?:\s|$)/.test(line ?? "") ? line : undefined);
}

/** The download a command runs; null when it runs none. */
function downloadRunBy(command: ShellCommand, fetched: Fetched, readers: Readers): ShellCommand | null {
  const { inputs, substituted } = command;
  const run = whatIsRun(command);
  switch (run?.from) {
    case "code":
      return hasUnknown(run.text) ? downloadIn(substituted, readers) : null;
    case "words":
      return downloadIn([...substituted, ...inputs], readers);
    case "file":
      if (/^https?:\/\//.test(run.file)) return command;
      return isOpen(run.file)
        ? downloadIn([...substituted, ...inputs], readers)
        : (fetched(run.file) ?? null);
    case "stdin":
      return isOpen(run.file)
        ? downloadIn([...inputs, ...substituted], readers)
        : (fetched(run.file) ?? null);
    default:
      return null;
  }
}

/** A file that was fetched and is the program itself; by its name alone where it was put into a folder of programs. */
function downloadCalled(
  { path, cwd }: ShellCommand,
  downloaded: ReadonlyMap<string, ShellCommand>,
): ShellCommand | null {
  if (path === "") return null;
  const called = downloaded.get(absolutePath(path, cwd));
  if (called !== undefined || path.includes("/")) return called ?? null;
  for (const [file, source] of downloaded) if (file.endsWith(`/bin/${path}`)) return source;
  return null;
}

const stdinName = "/dev/stdin";

/** A pipe: stdin itself or by its name, `/dev/fd/63` of `<( … )`; or a file that is known only then. */
function isOpen(file: string): boolean {
  return /^\/(?:dev|proc\/self)\/fd\//.test(file) || file === stdinName || hasUnknown(file);
}

/** What a command executes: a text in its words, its own words, a file, or what it reads. */
type Run =
  | { readonly from: "code"; readonly text: string }
  | { readonly from: "words" }
  | { readonly from: "file"; readonly file: string }
  /** `file`: what that is redirected from. */
  | { readonly from: "stdin"; readonly file: string };

/** Null: it executes nothing of the kind. */
function whatIsRun(command: ShellCommand): Run | null {
  const { program, path, args } = command;
  // `$(curl …)` as a command.
  if (program === "") return path !== "" && hasUnknown(path) ? { from: "words" } : null;
  if (evaluators.has(program)) {
    const isStdin = args.length === 0 || args.at(-1) === "-";
    return isStdin ? { from: "stdin", file: stdinName } : { from: "code", text: args.join(" ") };
  }
  // Without a file fish reads what comes in.
  if (program === "source" || program === ".") return { from: "file", file: args[0] ?? stdinName };
  if (program === "crontab" && /^[^-]/.test(args.at(-1) ?? "")) return fileOption(args.at(-1));
  if (isShellFor(command)) return runFromStdin(command);
  if (program === "make") return fileOption(optionValue(args, "f", "file"));
  if (interpreterOf(program) !== null) return runByInterpreter(command);
  return shellPrograms.has(program) ? runByShell(command) : null;
}

/** What keeps a text for a shell. */
function isShellFor({ program, args }: ShellCommand): boolean {
  if (program === "crontab") {
    const isAlone = operands(args).length === 0;
    return isAlone ? !args.some((arg) => /^-[a-z]/.test(arg)) : args.includes("-");
  }
  return program === "at" || program === "batch";
}

function fileOption(file: string | undefined): Run | null {
  return file === undefined ? null : { from: "file", file: file === "-" ? stdinName : file };
}

const evaluators = new Set(["eval", "iex", "invoke-expression", "pwsh", "powershell"]);

function runByInterpreter(command: ShellCommand): Run | null {
  const { args, code, stdin, program } = command;
  if (code !== null && code !== stdin) return { from: "code", text: code };
  // `python -m json.tool` reads data.
  if (args.includes("-m")) return null;
  const address = program === "deno" ? args.find((arg) => /^https?:\/\//.test(arg)) : undefined;
  const given = operands(args);
  // `bun run -`
  if (/^(?:deno|bun)$/.test(program) && given[0] === "run") given.shift();
  const [file = "-"] = address === undefined ? given : [address];
  return file === "-" ? runFromStdin(command) : { from: "file", file };
}

function runByShell(command: ShellCommand): Run | null {
  const { args } = command;
  const at = args.findIndex((arg) => /^-[A-Za-z]*c$/.test(arg));
  if (at !== -1) return { from: "code", text: args[at + 1] ?? "" };
  const isStdin = args.some((arg) => /^-[A-Za-z]*s[A-Za-z]*$/.test(arg));
  // `-o pipefail` has a value.
  const [file] = args.filter((arg, at) => !/^[-+]/.test(arg) && !/^[-+]\w*[oO]$/.test(args[at - 1] ?? ""));
  return isStdin || file === undefined ? runFromStdin(command) : { from: "file", file };
}

/** A text that stands in the line is followed as such; only what is open in it can come from elsewhere. */
function runFromStdin({ stdin, redirects }: ShellCommand): Run | null {
  if (stdin !== null && !hasUnknown(stdin)) return null;
  return { from: "stdin", file: redirects.find(({ operator }) => operator === "<")?.target ?? stdinName };
}
