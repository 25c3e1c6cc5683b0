import { SwarmError } from "../base/errors.ts";
import { suggest } from "../base/suggest.ts";
import { type Command, parseCommand } from "./command.ts";
import { eventsCommand } from "./events.ts";
import { version } from "./version.ts";

const commands: Readonly<Record<string, Command>> = { events: eventsCommand };

/** Runs one command line and returns its exit code. Errors are one line on stderr: cause and next step. */
export async function main(args: readonly string[]): Promise<number> {
  // A reader that has seen enough, such as head, closes the pipe: that is no error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  try {
    process.stdout.write(await runCommand(args));
    return 0;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    process.stderr.write(`swarm: ${error.message} [${error.code}]\n`);
    return error.exitCode;
  }
}

async function runCommand(args: readonly string[]): Promise<string> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return overview();
  if (name === "--version" || name === "-v") return `${version()}\n`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw unknownCommand(name);
  return parseCommand(name, command, rest);
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return [
    "swarm: lifecycle hooks and operations for AI agents",
    "",
    "Usage: swarm <command> [options]",
    "",
    ...lines,
    "",
    "  --version  print the version",
    "  --help     print this, or after a command its own help",
    "",
    "Examples:",
    "  swarm events                     every event there is",
    "  swarm events PreToolUse          one event, by any of its names",
    "  swarm events tool.before --json  the same, for a program",
    "",
  ].join("\n");
}

function unknownCommand(name: string): SwarmError {
  const near = suggest(name, Object.keys(commands));
  const hint = near === undefined ? "see swarm --help" : `did you mean swarm ${near}?`;
  return new SwarmError("SWARM_USAGE", {
    problem: `unknown command ${JSON.stringify(name.slice(0, 60))}`,
    hint,
  });
}
