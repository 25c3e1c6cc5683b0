import type { Launcher, Launching, Stream } from "../launchers.ts";
import { hasUnknown, marks } from "../marks.ts";
import { firstOperand } from "./options.ts";

/** Programs that start others for what they find or read. */
export const finders: Readonly<Record<string, Launcher>> = {
  xargs: runXargs,
  gxargs: runXargs,
  parallel: runParallel,
  find: runFind,
  gfind: runFind,
  fd: runFd,
  fdfind: runFd,
};

function runXargs({ command, run }: Launching): Stream | undefined {
  const { args, stdin } = command;
  const at = firstOperand(args, {
    short: "adEIJLnPRSs",
    long: ["arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars", "process-slot-var"],
  });
  const rest = args.slice(at);
  const read = stdin === null || hasUnknown(stdin) ? [marks.unknown] : stdin.split(/\s+/).filter(Boolean);
  if (rest.length === 0) return undefined;
  const placeholder = replaced(args.slice(0, at));
  if (placeholder === null) return run([...rest, ...read], "");
  return run(
    rest.map((word) => word.replaceAll(placeholder, () => read.join(" "))),
    "",
  );
}

/** What `-I{}` names; null when words are put at the end. */
function replaced(options: readonly string[]): string | null {
  for (const [at, option] of options.entries()) {
    if (option === "-I" || option === "-J") return options[at + 1] ?? null;
    if (/^-[Ii]./.test(option)) return option.slice(2);
    if (option === "-i" || option === "--replace") return "{}";
    if (option.startsWith("--replace=")) return option.slice("--replace=".length);
  }
  return null;
}

function runParallel({ command, run, runText }: Launching): Stream | undefined {
  const { args } = command;
  const at = firstOperand(args, {
    short: "jaCSINnL",
    long: ["jobs", "arg-file", "colsep", "delay", "timeout", "sshlogin"],
  });
  const end = args.findIndex((arg) => arg.startsWith(":::"));
  const words = args.slice(at, end === -1 ? undefined : end);
  const read = end === -1 ? [marks.unknown] : args.slice(end + 1);
  if (words.length === 0) return read.map((line) => runText(line)).at(-1);
  const filled = words.map((word) => word.replaceAll("{}", () => read.join(" ")));
  const isFilled = words.some((word) => word.includes("{}"));
  const [only = ""] = filled;
  // A single word is a line for a shell.
  if (filled.length === 1 && only.includes(" ")) return runText(only);
  return run(isFilled ? filled : [...filled, ...read], "");
}

/** `find PATHS … -exec COMMAND {} \;`: the command gets the paths, or anything below them. */
function runFind({ command, run }: Launching): Stream | undefined {
  const { args } = command;
  const paths = startingPoints(args);
  let printed: Stream | undefined;
  for (const [at, arg] of args.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(arg)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const words = (end === -1 ? rest : rest.slice(0, end)).flatMap((word) =>
      word === "{}" ? paths : word.replaceAll("{}", () => paths.join(" ")),
    );
    printed = run(words, "");
  }
  return printed;
}

/** What find looks through: everything before its first test. */
export function startingPoints(args: readonly string[]): string[] {
  const from = args.findIndex((arg) => !/^-([HLP]|O\d|D)$/.test(arg));
  const rest = from === -1 ? [] : args.slice(from);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  const paths = end === -1 ? rest : rest.slice(0, end);
  return paths.length === 0 ? ["."] : [...paths];
}

function runFd({ command, run }: Launching): Stream | undefined {
  const at = command.args.findIndex((arg) => /^(-x|-X|--exec|--exec-batch)$/.test(arg));
  if (at === -1) return undefined;
  const words = command.args.slice(at + 1).filter((word) => word !== ";");
  return run(words.some((word) => word.includes("{")) ? words : [...words, marks.unknown], "");
}
