/**
 * `swarm hook` and nothing else. The build bundles it into one file: without a daemon an agent waits for this start on
 * every tool call, and 280 modules take five times as long to load as one.
 */
import { SwarmError } from "../base/errors.ts";
import { parseCommand } from "./command.ts";
import { hookCommand } from "./hook.ts";

export async function main(args: readonly string[]): Promise<number> {
  try {
    const output = await parseCommand("hook", hookCommand, args.slice(1));
    if (typeof output === "string") process.stdout.write(output);
    return typeof output === "object" && "exitCode" in output ? output.exitCode : 0;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    process.stderr.write(`swarm: ${error.message} [${error.code}]\n`);
    // For an agent every ending but exit 2 is consent.
    return args.includes("--guard") ? 2 : error.exitCode;
  }
}
