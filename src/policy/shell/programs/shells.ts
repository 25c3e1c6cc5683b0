import type { Stream } from "../interpret/stream.ts";
import type { Launching } from "./launching.ts";
import { named, type Programs, withCommon } from "./program.ts";
import { words } from "./words.ts";
import { hasUnknown } from "../marks.ts";

const names = "sh bash zsh dash ksh mksh ash fish csh tcsh rbash yash posh osh hush nu xonsh elvish";

/** Shells, as rules know them. */
export const shellPrograms: ReadonlySet<string> = words(names);

const rows: Programs = {
  ...named(names, {
    follow: runShell,
    code: "cs",
    longCode: ["command"],
    short: "oO",
    long: ["rcfile", "init-file"],
    files: ["rcfile", "init-file"],
  }),
  ...named("pwsh powershell", {
    follow: runPowershell,
    hasOneDash: true,
    long: [
      "executionpolicy",
      "ep",
      "ex",
      "workingdirectory",
      "wd",
      "outputformat",
      "inputformat",
      "settingsfile",
    ],
    longCode: ["c", "command", "e", "ec", "enc", "encodedcommand"],
  }),
  ...named("source .", { follow: runSource }),
};

export const shells: Programs = {
  ...withCommon(rows, { runs: "script", forPlugins: "own file" }),
  ...named("eval invoke-expression iex", {
    follow: ({ command, runText }) => runText(command.args.join(" ")),
  }),
  trap: {
    follow: ({ command, runText }) => {
      const [line = "-"] = command.args.filter((arg) => arg !== "--");
      if (line !== "-") runText(line);
      return undefined;
    },
  },
  ...named("at batch", { follow: runLater }),
  crontab: {
    follow: ({ command, runText, written }) => {
      const file = command.args.findLast((arg) => !arg.startsWith("-"));
      const table = command.stdin ?? (file === undefined ? null : written(file));
      // Five fields or `@daily`, then a line for a shell.
      for (const line of table?.split("\n") ?? []) runText(line.replace(/^\s*(?:@\w+|(?:\S+\s+){5})/, ""));
      return undefined;
    },
  },
  cmd: {
    follow: ({ command, runText }) => {
      const at = command.args.findIndex((arg) => /^\/[ck]$/i.test(arg));
      return at === -1 ? undefined : runText(command.args.slice(at + 1).join(" "));
    },
  },
};

/** `bash -lc 'line'`, `bash <<< 'line'`, `… | bash`; a script in a file is not opened. */
function runShell(launching: Launching): Stream | undefined {
  const { command, runText, opaque, written } = launching;
  const { args, stdin, inputs } = command;
  const { isLine, rest, isStdin } = readShellOptions(args);
  if (isLine) {
    const [line, ...words] = rest;
    return line === undefined ? undefined : runText(line, words);
  }
  const [file = ""] = rest;
  if (!isStdin && file !== "" && file !== "/dev/stdin") return runFile(rest, launching);
  if (stdin !== null) return runText(stdin, [command.path, ...rest]);
  const files = command.redirects.filter(({ operator }) => operator === "<");
  const isLocal = (input: Launching["command"]) => isLocalText(input, written);
  if (files.some(({ target }) => written(target) === null)) opaque("it runs a file it has just written");
  else if (inputs.length > 0 && files.length === 0 && !inputs.every(isLocal)) {
    opaque("what it pipes into a shell is known only then");
  }
  return undefined;
}

/** A script is not opened, unless the line has written it itself. */
export function runFile(
  words: readonly string[],
  { runText, written, opaque }: Launching,
): Stream | undefined {
  const [file = ""] = words;
  if (hasUnknown(file)) opaque("which script it runs is known only then");
  const text = written(file);
  if (text === null) opaque("it runs a file it has just written");
  return typeof text === "string" ? runText(text, words) : undefined;
}

/** A file of this machine is as good as running that file, unless the line has written it. */
function isLocalText(
  { program, inputs, args }: Launching["command"],
  written: Launching["written"],
): boolean {
  return (
    program === "cat" && inputs.length === 0 && args.every((arg) => !hasUnknown(arg) && written(arg) !== null)
  );
}

/** Where a shell's own options end, and whether they say that a line follows or that it reads its input. */
export function readShellOptions(args: readonly string[]) {
  let isLine = false;
  let isStdin = false;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--" || arg === "-") {
      at++;
      break;
    }
    if (/^--(rcfile|init-file)$/.test(arg)) at++;
    else if (arg === "--command") isLine = true;
    else if (/^[-+][A-Za-z]/.test(arg)) {
      if (arg.startsWith("-") && arg.includes("c")) isLine = true;
      if (arg.includes("s")) isStdin = true;
      if (/[oO]$/.test(arg)) at++;
    } else if (!arg.startsWith("--")) break;
  }
  return { isLine, isStdin, rest: args.slice(at) };
}

function runPowershell({ command, runText, opaque }: Launching): Stream | undefined {
  const { args, inputs } = command;
  const at = args.findIndex((arg) => /^[-/](c|command|e|ec|enc|encodedcommand)$/i.test(arg));
  if (at === -1) {
    if (inputs.length > 0) opaque("what it pipes into a shell is known only then");
    return undefined;
  }
  const line = args.slice(at + 1).join(" ");
  const isEncoded = /^.e/i.test(args[at] ?? "");
  return runText(isEncoded ? Buffer.from(line, "base64").toString("utf16le") : line);
}

function runSource(launching: Launching): Stream | undefined {
  const { command, runText } = launching;
  if (command.args[0] === "/dev/stdin" && command.stdin !== null) return runText(command.stdin);
  return runFile(command.args, launching);
}

function runLater({ command, runText }: Launching): undefined {
  if (command.stdin !== null) runText(command.stdin);
  return undefined;
}
