import { parseArgs } from "node:util";
import { SwarmError } from "../base/errors.ts";

/** One command of the command line. Its name may be two words: `hooks test`. */
export interface Command {
  readonly summary: string;
  /** Names of its positional arguments, as the usage line shows them. */
  readonly positionals: readonly string[];
  /** Options that take a value, with what they mean: `{ tool: "NAME  the tool" }`. */
  readonly options?: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  run(input: CommandInput): string | Promise<string>;
}

export interface CommandInput {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
}

/** Reads a command's arguments and runs it; every command has --json and --help. */
export async function parseCommand(name: string, command: Command, args: readonly string[]): Promise<string> {
  const { json, help, options, positionals } = parse(name, command, args);
  if (help) return helpOf(name, command);
  if (positionals.length > command.positionals.length) {
    throw usage(name, `${JSON.stringify(positionals.at(-1))} is one argument too many`);
  }
  return command.run({ positionals, options, isJson: json });
}

function parse(name: string, command: Command, args: readonly string[]) {
  const own = Object.keys(command.options ?? {}).map((option) => [option, { type: "string" }] as const);
  const options = {
    ...Object.fromEntries(own),
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { json, help, ...given } = values as Record<string, string | boolean | undefined>;
    return {
      json: json === true,
      help: help === true,
      options: given as Record<string, string | undefined>,
      positionals,
    };
  } catch (error) {
    throw usage(name, error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? "") : String(error));
  }
}

function helpOf(name: string, command: Command): string {
  const positionals = command.positionals.map((word) => ` [${word}]`).join("");
  const options = Object.entries(command.options ?? {}).map(([option, text]) => `  --${option} ${text}`);
  return [
    command.summary,
    "",
    `Usage: swarm ${name}${positionals} [options]`,
    "",
    ...options,
    "  --json  print JSON for a program",
    "  --help  print this",
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

export function usage(name: string, problem: string): SwarmError {
  return new SwarmError("SWARM_USAGE", { problem, hint: `see swarm ${name} --help` });
}
