import type { ShellCommand, ShellLine } from "../shell/command.ts";
import { interpreterOf } from "../shell/launch/code.ts";
import { shellPrograms } from "../shell/launch/shells.ts";
import { hasUnknown } from "../shell/marks.ts";
import { downloadedFiles, downloadIn } from "./downloads.ts";
import { operands } from "./flags.ts";
import { absolutePath } from "./place.ts";

/** Something from the network is run without anybody having seen it. */
export function runsDownload({ commands }: ShellLine): string | null {
  const downloaded = new Map<string, ShellCommand>();
  for (const command of commands) {
    const program = command.program || "a shell";
    const source = downloadRunBy(command, downloaded);
    if (source !== null) return `${source.path} into ${program}`;
    if (command.code !== null && fetches.test(command.code) && evaluates.test(command.code)) {
      return `${program} code that runs what it fetches`;
    }
    const socket = socketOf(command);
    if (socket !== undefined) return `${program} on ${socket}`;
    for (const file of downloadedFiles(command)) downloaded.set(file, command);
  }
  return null;
}

/** Code that gets something from elsewhere, and code that runs a text. */
const fetches =
  /urlopen|urlretrieve|\burllib|\brequests\b|httpx|http\.client|\bfetch\s*\(|https?\.get|Net::HTTP|\bLWP\b|open-uri|URI\.open|file_get_contents\s*\(\s*["']https?|\bcurl\b|\bwget\b/;
const evaluates =
  /\bexec\b|\beval\b|\bcompile\s*\(|\bsystem\b|\bpopen\b|subprocess|\bspawn|\bFunction\s*\(|instance_eval|\brequire\s*\(\s*["']child_process/;

/** A connection as a file, as bash has them. */
function socketOf({ redirects }: ShellCommand): string | undefined {
  return redirects.map(({ target }) => target).find((target) => /^[&\d]*\/dev\/(?:tcp|udp)\//.test(target));
}

/** The download a command runs; null when it runs none. */
function downloadRunBy(
  command: ShellCommand,
  downloaded: ReadonlyMap<string, ShellCommand>,
): ShellCommand | null {
  const { path, cwd, inputs, substituted } = command;
  const fetched = (file: string) => downloaded.get(absolutePath(file, cwd)) ?? null;
  const called = path === "" ? null : fetched(path);
  if (called !== null) return called;
  const run = whatIsRun(command);
  switch (run?.from) {
    case "code":
      return hasUnknown(run.text) ? downloadIn(substituted) : null;
    case "words":
      return downloadIn([...substituted, ...inputs]);
    case "file":
      if (/^https?:\/\//.test(run.file)) return command;
      return isOpen(run.file) ? downloadIn([...substituted, ...inputs]) : fetched(run.file);
    case "stdin":
      return isOpen(run.file) ? downloadIn([...inputs, ...substituted]) : fetched(run.file);
    default:
      return null;
  }
}

const stdinName = "/dev/stdin";

/** A pipe: stdin itself or by its name, `/dev/fd/63` of `<( … )`; or a file that is known only then. */
function isOpen(file: string): boolean {
  return file.startsWith("/dev/fd/") || file === stdinName || hasUnknown(file);
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
    return args.length === 0 ? { from: "stdin", file: stdinName } : { from: "code", text: args.join(" ") };
  }
  if (program === "source" || program === ".") return { from: "file", file: args[0] ?? "" };
  if (interpreterOf(program) !== null) return runByInterpreter(command);
  return shellPrograms.has(program) ? runByShell(command) : null;
}

const evaluators = new Set(["eval", "iex", "invoke-expression", "pwsh", "powershell"]);

function runByInterpreter(command: ShellCommand): Run | null {
  const { args, code, stdin, program } = command;
  if (code !== null && code !== stdin) return { from: "code", text: code };
  // `python -m json.tool` reads data.
  if (args.includes("-m")) return null;
  const address = program === "deno" ? args.find((arg) => /^https?:\/\//.test(arg)) : undefined;
  const [file = "-"] = address === undefined ? operands(args) : [address];
  return file === "-" ? runFromStdin(command) : { from: "file", file };
}

function runByShell(command: ShellCommand): Run | null {
  const { args } = command;
  const at = args.findIndex((arg) => /^-[A-Za-z]*c$/.test(arg));
  if (at !== -1) return { from: "code", text: args[at + 1] ?? "" };
  const isStdin = args.some((arg) => /^-[A-Za-z]*s[A-Za-z]*$/.test(arg));
  const [file] = args.filter((arg) => !/^[-+]/.test(arg));
  return isStdin || file === undefined ? runFromStdin(command) : { from: "file", file };
}

/** A text that stands in the line is followed as such; only what is open in it can come from elsewhere. */
function runFromStdin({ stdin, redirects }: ShellCommand): Run | null {
  if (stdin !== null && !hasUnknown(stdin)) return null;
  return { from: "stdin", file: redirects.find(({ operator }) => operator === "<")?.target ?? stdinName };
}
