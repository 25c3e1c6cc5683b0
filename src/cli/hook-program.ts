/**
 * `swarm hook` and nothing else. The build bundles it into one file: without a daemon an agent waits for this start on
 * every tool call, and 280 modules take five times as long to load as one.
 */
import { SwarmError } from "../base/errors.ts";
import { maskMessages } from "../base/mask-messages.ts";
import { parseCommand } from "./command.ts";
import { answerHook, type HookArguments, hookCommand } from "./hook.ts";

export async function main(args: readonly string[]): Promise<number> {
  maskMessages();
  try {
    const call = asInstalled(args);
    const output = await (call === null
      ? parseCommand("hook", hookCommand, args.slice(1))
      : answerHook(call));
    if (typeof output === "string") process.stdout.write(output);
    return typeof output === "object" && "exitCode" in output ? output.exitCode : 0;
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    process.stderr.write(`swarm: ${error.message} [${error.code}]\n`);
    // For an agent every ending but exit 2 is consent.
    return args.includes("--guard") ? 2 : error.exitCode;
  }
}

const installed = /^hook ([a-z-]+)( --framed)?( --no-daemon)?( --guard)?(?: --timeout-ms (\d{1,9}))?$/;

/** Arguments as the client and `swarm install` write them; null for any others. Node's parser takes 3 ms to load. */
function asInstalled(args: readonly string[]): HookArguments | null {
  const found = installed.exec(args.join(" "));
  if (found === null) return null;
  const [, agent = "", framed, noDaemon, guard, timeoutMs = "0"] = found;
  return {
    agent,
    isGuard: guard !== undefined,
    timeoutMs: Number(timeoutMs),
    isFramed: framed !== undefined,
    asksDaemon: noDaemon === undefined,
  };
}
