import { parseArgs } from "node:util";
import { SwarmError } from "../base/errors.ts";

/** One command of the command line. */
export interface Command {
  readonly summary: string;
  /** Names of its positional arguments, as the usage line shows them; all are optional. */
  readonly positionals: readonly string[];
  readonly examples: readonly string[];
  run(input: CommandInput): string | Promise<string>;
}

export interface CommandInput {
  readonly positionals: readonly string[];
  readonly isJson: boolean;
}

/** Reads a command's arguments and runs it; every command has --json and --help. */
export async function parseCommand(name: string, command: Command, args: readonly string[]): Promise<string> {
  const { values, positionals } = parse(name, args);
  if (values.help) return help(name, command);
  if (positionals.length > command.positionals.length) {
    throw usage(name, `${JSON.stringify(positionals.at(-1))} is one argument too many`);
  }
  return command.run({ positionals, isJson: values.json });
}

function parse(name: string, args: readonly string[]) {
  const options = {
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw usage(name, error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? "") : String(error));
  }
}

function help(name: string, command: Command): string {
  const positionals = command.positionals.map((word) => ` [${word}]`).join("");
  return [
    command.summary,
    "",
    `Usage: swarm ${name}${positionals} [--json]`,
    "",
    "  --json  print JSON for a program",
    "  --help  print this",
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

function usage(name: string, problem: string): SwarmError {
  return new SwarmError("SWARM_USAGE", { problem, hint: `see swarm ${name} --help` });
}
