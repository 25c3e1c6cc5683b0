import type { ShellCommand } from "../shell/command.ts";
import { optionValue } from "../shell/launch/options.ts";
import { operands } from "./flags.ts";
import { absolutePath } from "./place.ts";

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
    case "gh":
      return args[0] === "api" || (args[0] === "gist" && args[1] === "view");
    default:
      return false;
  }
}

/** The download among commands, or among whatever they read in turn. */
export function downloadIn(commands: readonly ShellCommand[]): ShellCommand | null {
  const seen = new Set(commands);
  for (const command of seen) {
    if (isDownloader(command)) return command;
    // Those that are added are looked at too, each once.
    for (const before of command.inputs) seen.add(before);
    for (const before of command.substituted) seen.add(before);
  }
  return null;
}

/** The files a download ends in, from this command. */
export function downloadedFiles(command: ShellCommand): string[] {
  const files = [...redirectedFiles(command), ...(isDownloader(command) ? namedFiles(command) : [])];
  if (files.length === 0 || downloadIn([command]) === null) return [];
  return files.map((file) => absolutePath(file, command.cwd));
}

function redirectedFiles({ program, args, redirects }: ShellCommand): string[] {
  const files = redirects.filter(({ operator }) => operator.includes(">")).map(({ target }) => target);
  return program === "tee" ? [...files, ...operands(args)] : files;
}

/** `-o FILE`, or the last part of the address. */
function namedFiles({ program, args }: ShellCommand): string[] {
  const isWget = program === "wget";
  const named = isWget ? optionValue(args, "O", "output-document") : optionValue(args, "o", "output");
  if (named !== undefined) return [named];
  if (!isWget && !args.some((arg) => /^-[A-Za-z]*O|^--remote-name/.test(arg))) return [];
  return args.flatMap((arg) => /^(?:https?|ftp):\/\/.*\/([^/?#]+)/.exec(arg)?.[1] ?? []);
}
