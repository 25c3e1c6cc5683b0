import { parseArgs } from "node:util";
import { SwarmError } from "../base/errors.ts";
import { definitions, screenColumns } from "./definitions.ts";
import { wrapWords } from "./wrap-words.ts";

/** One command of the command line. Its name may be two words: `hooks test`. */
export interface Command {
  readonly summary: string;
  /** Names of its positional arguments, as the usage line shows them. */
  readonly positionals: readonly string[];
  /** Options that take a value, with what they mean: `{ tool: "NAME  the tool" }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Options that take none, with what they mean; `short` is their one letter, where they have one. */
  readonly flags?: Readonly<Record<string, { readonly short?: string; readonly doc: string }>>;
  readonly examples: readonly string[];
  /** Whether everything after the first positional is for another program, options too. */
  readonly passesArguments?: boolean;
  /** What to do about arguments it does not take; default: read its help. */
  readonly hint?: string;
  /** What its help says below the options: exit codes, what is recorded. */
  readonly notes?: readonly string[];
  run(input: CommandInput): Output | Promise<Output>;
}

/** What is printed; a stream is printed as it comes. The exit code is 0 unless one is given, a stream's if it returns one. */
export type Output =
  | string
  | AsyncIterable<string, unknown>
  | { readonly text: string; readonly exitCode: number };

export interface CommandInput {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Names of the flags that were given. */
  readonly flags: ReadonlySet<string>;
  readonly isJson: boolean;
}

/** Reads a command's arguments and runs it; every command has --json and --help. */
export async function parseCommand(name: string, command: Command, args: readonly string[]): Promise<Output> {
  const first = command.passesArguments === true ? args.findIndex((arg) => !arg.startsWith("-")) : -1;
  const own = first === -1 ? args : args.slice(0, first + 1);
  const { json, help, options, flags, positionals: read } = parse(name, command, own);
  const positionals = [...read, ...args.slice(own.length)];
  if (help) return helpOf(name, command);
  // `AGENT…` takes as many as there are.
  const isOpenEnded = command.positionals.at(-1)?.endsWith("…") === true;
  if (positionals.length > command.positionals.length && !isOpenEnded) {
    throw usage(name, `${JSON.stringify(positionals.at(-1))} is one argument too many`, command.hint);
  }
  return command.run({ positionals, options, flags, isJson: json });
}

function parse(name: string, command: Command, args: readonly string[]) {
  const valued = Object.keys(command.options ?? {}).map((option) => [option, { type: "string" }] as const);
  const given = Object.entries(command.flags ?? {}).map(
    ([flag, { short }]) => [flag, { type: "boolean", ...(short && { short }) }] as const,
  );
  const options = {
    ...Object.fromEntries(valued),
    ...Object.fromEntries(given),
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { json = false, help = false, ...rest } = values as Record<string, string | boolean | undefined>;
    const texts = Object.entries(rest).filter(([, value]) => typeof value === "string");
    const flags = Object.entries(rest).filter(([, value]) => value === true);
    return {
      json: json === true,
      help: help === true,
      options: Object.fromEntries(texts) as Record<string, string | undefined>,
      flags: new Set(flags.map(([flag]) => flag)),
      positionals,
    };
  } catch (error) {
    throw usage(
      name,
      error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? "") : String(error),
      command.hint,
    );
  }
}

export function helpOf(name: string, command: Command): string {
  const positionals = command.positionals.map((word) => ` [${word}]`).join("");
  const columns = screenColumns();
  const rows: (readonly [string, string])[] = [
    ...Object.entries(command.options ?? {}).map(([option, text]) => {
      const [value = "", ...doc] = text.split(/ {2,}/);
      return [`--${option} ${value}`, doc.join(" ")] as const;
    }),
    ...Object.entries(command.flags ?? {}).map(([flag, { short, doc }]) => {
      return [`${short === undefined ? "" : `-${short}, `}--${flag}`, doc] as const;
    }),
    ["--json", "print JSON for a program"],
    ["-h, --help", "print this"],
  ];
  return [
    ...(columns === undefined ? [command.summary] : wrapWords(command.summary, columns)),
    "",
    `Usage: swarm ${name}${positionals} [options]`,
    "",
    ...definitions(rows, columns),
    "",
    ...(command.notes ?? []).flatMap((note) => (columns === undefined ? [note] : wrapWords(note, columns))),
    ...(command.notes === undefined ? [] : [""]),
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

export function usage(name: string, problem: string, hint = `see swarm ${name} --help`): SwarmError {
  return new SwarmError("SWARM_USAGE", { problem, hint });
}
