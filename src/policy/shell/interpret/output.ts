import { unescapeAnsiC } from "../syntax/ansi-c.ts";
import type { ShellCommand } from "../command.ts";

const maxOutputChars = 64 * 1024;

/** What a command prints, if that follows from the line alone; null otherwise. Hidden commands are mostly hidden so. */
export function outputOf(command: ShellCommand): string | null {
  const print = Object.hasOwn(printers, command.program) ? printers[command.program] : undefined;
  if (print === undefined)
    return command.path === "" && command.args.length === 0 ? nothingOrFile(command) : null;
  const printed = print(command.args, command.stdin, command.cwd);
  return printed === null || printed.length > maxOutputChars ? null : printed;
}

/** `$(<file)` prints the file. */
function nothingOrFile({ redirects, stdin }: ShellCommand): string | null {
  return redirects.some(({ operator }) => operator === "<") ? stdin : "";
}

type Printer = (args: readonly string[], stdin: string | null, cwd: string | null) => string | null;

const printers: Readonly<Record<string, Printer>> = {
  echo: (args) => {
    const at = args.findIndex((arg) => !/^-[neE]+$/.test(arg));
    const options = (at === -1 ? args : args.slice(0, at)).join("");
    const text = at === -1 ? "" : args.slice(at).join(" ");
    return (options.includes("e") ? unescapeAnsiC(text) : text) + (options.includes("n") ? "" : "\n");
  },
  printf: (args) => {
    const [format = "", ...values] = args[0] === "--" ? args.slice(1) : args;
    return args[0] === "-v" ? "" : formatted(format, values);
  },
  base64: (args, stdin) => (isDecoding(args) ? fromStdin(args, stdin, fromBase64) : null),
  gbase64: (args, stdin) => (isDecoding(args) ? fromStdin(args, stdin, fromBase64) : null),
  openssl: (args, stdin) =>
    args.includes("-d") && args.some((arg) => /^-?(base64|a)$/.test(arg))
      ? fromStdin([], stdin, fromBase64)
      : null,
  xxd: (args, stdin) => (/^-.*r/.test(args[0] ?? "") ? fromStdin([], stdin, fromHex) : null),
  rev: (args, stdin) =>
    fromStdin(args, stdin, (text) =>
      text
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n"),
    ),
  tr: ([from = "", to = "", more], stdin) =>
    more === undefined ? fromStdin([], stdin, (text) => translated(text, from, to)) : null,
  cat: (args, stdin) => fromStdin(args, stdin, (text) => text),
  tee: (_args, stdin) => stdin,
  pwd: (_args, _stdin, cwd) => (cwd === null ? null : `${cwd}\n`),
  // Which one is not known, but that it is a temporary one.
  mktemp: (args) => (args.every((arg) => /^-[dqu]+$/.test(arg)) ? "/tmp/tmp.made\n" : null),
  true: () => "",
  "[": () => "",
  test: () => "",
  ":": () => "",
  set: () => "",
  sleep: () => "",
};

function fromStdin(
  args: readonly string[],
  stdin: string | null,
  turn: (text: string) => string | null,
): string | null {
  const isStdin = args.every((arg) => arg.startsWith("-"));
  return stdin === null || !isStdin ? null : turn(stdin);
}

function isDecoding(args: readonly string[]): boolean {
  return args.some((arg) => /^-[a-zA-Z]*[dD]|^--d/.test(arg));
}

function fromBase64(text: string): string | null {
  const compact = text.replaceAll(/\s/g, "");
  return /^[A-Za-z0-9+/_-]+=*$/.test(compact) ? Buffer.from(compact, "base64").toString("utf8") : null;
}

function fromHex(text: string): string | null {
  const compact = text.replaceAll(/\s|0x/g, "");
  return /^(?:[0-9a-fA-F]{2})+$/.test(compact) ? Buffer.from(compact, "hex").toString("utf8") : null;
}

/** `%s`, `%b`, `%d`, `%c` and escapes; anything else is left open. */
function formatted(format: string, values: readonly string[]): string | null {
  // In `$'…'` a zero byte ends the text, here it is one like any other.
  const text = format
    .split(/\\0(?![0-7])/)
    .map(unescapeAnsiC)
    .join("\0");
  let next = 0;
  let isOpen = false;
  const once = () =>
    text.replaceAll(/%(%|-?\d*[a-zA-Z])/g, (_, spec: string) => {
      if (spec === "%") return "%";
      if (!/^[sbdcq]$/.test(spec)) isOpen = true;
      const value = values[next++] ?? "";
      return spec === "b" ? unescapeAnsiC(value) : spec === "c" ? value.slice(0, 1) : value;
    });
  let printed = once();
  // The format is used again until every value is.
  while (next > 0 && next < values.length && printed.length < maxOutputChars) printed += once();
  return isOpen ? null : printed;
}

/** `tr a-z b-za`: sets of the same length, with ranges. */
function translated(text: string, from: string, to: string): string | null {
  if (/[[\\]|^-/.test(from + to)) return null;
  const [source, target] = [characters(from), characters(to)];
  if (source.length === 0 || target.length === 0) return null;
  const map = new Map(
    source.map((character, at) => [character, target[Math.min(at, target.length - 1)] ?? ""]),
  );
  return [...text].map((character) => map.get(character) ?? character).join("");
}

function characters(set: string): string[] {
  const expanded = set.replaceAll(/(.)-(.)/g, (whole, from: string, to: string) => {
    const count = to.charCodeAt(0) - from.charCodeAt(0) + 1;
    if (count < 1 || count > 128) return whole;
    return Array.from({ length: count }, (_, at) => String.fromCharCode(from.charCodeAt(0) + at)).join("");
  });
  return [...expanded];
}
