import type { ShellCommand, ShellLine } from "../../../shell/command.ts";
import { hasUnknown } from "../../../shell/marks.ts";
import { operands } from "../flags.ts";

/**
 * Which commands of a line read what is typed later: from the terminal itself, from a pipe that passes it on, from a named
 * pipe, or from a file that is followed while it grows.
 */
export class LiveInput {
  readonly #live = new Map<ShellCommand, boolean>();
  readonly #pipes: ReadonlySet<string>;

  constructor({ commands }: ShellLine) {
    const makers = commands.filter(({ program }) => program === "mkfifo" || program === "mknod");
    this.#pipes = new Set(makers.flatMap(({ args }) => operands(args)));
  }

  /** Whether what it reads on stdin is typed later. */
  isLive(command: ShellCommand): boolean {
    const { stdin, inputs, redirects } = command;
    if (stdin !== null) return false;
    const from = redirects.filter(({ operator }) => operator.startsWith("<")).at(-1);
    if (from !== undefined) return this.isLiveFile(from.target);
    return inputs.length === 0 || inputs.some((input) => this.passesOn(input));
  }

  /** A name of the terminal, or of a pipe the line has made. */
  isLiveFile(file: string): boolean {
    return (
      /^(?:&?0|-|\/dev\/(?:stdin|tty|pts\/.*|fd\/0)|\/proc\/[^/]+\/fd\/0)$/.test(file) ||
      this.#pipes.has(file)
    );
  }

  /** Whether what it prints is what is typed later. */
  passesOn(command: ShellCommand): boolean {
    const known = this.#live.get(command);
    if (known !== undefined) return known;
    this.#live.set(command, false);
    const isLive = this.#prints(command);
    this.#live.set(command, isLive);
    return isLive;
  }

  #prints(command: ShellCommand): boolean {
    const { program, args, substituted, redirects } = command;
    // `$(</dev/tty)`
    if (command.path === "" && redirects.some(({ operator }) => operator === "<"))
      return this.isLive(command);
    // `echo "$(cat)"`
    if (substituted.some((input) => this.passesOn(input))) return true;
    if (program === "tail" && args.some((arg) => /^-[A-Za-z]*[fF]|^--(?:follow|retry)/.test(arg)))
      return true;
    if (remote.has(program)) return true;
    if (args.some((arg) => this.isLiveFile(arg) && arg !== "0"))
      return filters.has(program) || program === "";
    return readsStdin(command) && this.isLive(command);
  }
}

/** What they print comes from whoever is at the other end. */
const remote = new Set(["nc", "ncat", "netcat", "socat", "websocat", "telnet", "inotifywait", "script"]);

/** Programs that print what they read on stdin, and how many operands they have before files. */
const filters: ReadonlyMap<string, number> = new Map([
  ...[
    "cat",
    "tac",
    "head",
    "tail",
    "sort",
    "uniq",
    "rev",
    "nl",
    "fold",
    "fmt",
    "cut",
    "column",
    "pv",
    "line",
  ].map((name) => [name, 0] as const),
  ...[
    "base64",
    "base32",
    "xxd",
    "od",
    "zcat",
    "gunzip",
    "gzip",
    "iconv",
    "expand",
    "paste",
    "strings",
    "ul",
  ].map((name) => [name, 0] as const),
  ...["sed", "gsed", "grep", "egrep", "fgrep", "awk", "gawk", "mawk", "nawk", "jq", "yq", "perl", "ruby"].map(
    (name) => [name, 1] as const,
  ),
  ...["tr", "tee", "dd", "openssl", "sponge", "read", "mapfile", "readarray", "select"].map(
    (name) => [name, Number.POSITIVE_INFINITY] as const,
  ),
]);

/** Options by which a script or a pattern is given, so that every operand is a file. */
const given = /^-[A-Za-z]*[ef]|^--(?:expression|regexp|file)/;

/** Whether it reads its input, not files that it names. */
export function readsStdin({ program, args }: ShellCommand): boolean {
  const before = filters.get(program);
  if (before === undefined) return false;
  if (program === "dd") return !args.some((arg) => arg.startsWith("if="));
  if (args.includes("-")) return true;
  const files = operands(args).filter((arg) => !hasUnknown(arg) || arg.length > 1);
  return files.length <= (before === 1 && args.some((arg) => given.test(arg)) ? 0 : before);
}
