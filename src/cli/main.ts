import { SwarmError } from "../base/errors.ts";
import { suggest } from "../base/suggest.ts";
import { type Command, parseCommand } from "./command.ts";
import { doctorCommand } from "./doctor.ts";
import { eventsCommand } from "./events.ts";
import { hooksExplainCommand, hooksListCommand, hooksTestCommand } from "./hooks.ts";
import { hooksNewCommand } from "./hooks-new.ts";
import { version } from "./version.ts";

const commands: Readonly<Record<string, Command>> = {
  events: eventsCommand,
  doctor: doctorCommand,
  "hooks new": hooksNewCommand,
  "hooks list": hooksListCommand,
  "hooks test": hooksTestCommand,
  "hooks explain": hooksExplainCommand,
};

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
  const [first, second] = args;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") return overview();
  if (first === "--version" || first === "-v") return `${version()}\n`;
  for (const name of [`${first} ${second}`, first]) {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return parseCommand(name, command, args.slice(name.split(" ").length));
  }
  throw unknownCommand(second === undefined || second.startsWith("-") ? first : `${first} ${second}`);
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}`);
  return [
    "swarm: lifecycle hooks and operations for AI agents",
    "",
    "Usage: swarm <command> [options]",
    "",
    ...lines,
    "",
    "  --version      print the version",
    "  --help         print this, or after a command its own help",
    "",
    "Examples:",
    "  swarm events                     every event there is",
    "  swarm events PreToolUse          one event, by any of its names",
    "  swarm hooks list                 the hooks in force here",
    '  swarm hooks test tool.before --tool Bash --input \'{"command": "ls"}\'',
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
