import { constants } from "node:os";
import { SwarmError } from "../../base/errors.ts";
import { oneLine } from "../../base/show.ts";
import type { EventName } from "../../engine/events/names.ts";
import { readClaudeAnswer } from "../claude/answer.ts";
import type { ProcessResult } from "../process/run-process.ts";
import type { CommandSpec } from "./command-handler.ts";

const maxReasonChars = 10_000;
/** A program's error output as it stands in an error message. */
const maxStderrChars = 500;

/** What a program's end means: an answer, or a failure that is thrown for the engine to judge by `on_failure`. */
export function readEnding(
  spec: CommandSpec,
  event: EventName,
  { ending, stdout, stderr, ms }: ProcessResult,
): unknown {
  const hook = spec.name;
  switch (ending.how) {
    case "exited":
      return readExit(spec, event, ending.exitCode, stdout, stderr);
    case "signalled":
      throw new SwarmError("SWARM_COMMAND_SIGNALLED", { hook, signal: ending.signal, stderr: brief(stderr) });
    case "flooded":
      throw new SwarmError("SWARM_COMMAND_FLOODED", { hook, spillPath: ending.spillPath });
    case "not_started":
      throw new SwarmError("SWARM_COMMAND_NOT_STARTED", { hook, error: ending.error });
    case "timed_out":
    case "cancelled":
      throw new SwarmError("SWARM_HANDLER_TIMED_OUT", { hook, timeoutMs: Math.round(ms) });
  }
}

/** 0 answers; 2 denies with stderr as the reason; any other number is a failure, or for a blocking script a denial. */
function readExit(
  spec: CommandSpec,
  event: EventName,
  exitCode: number,
  stdout: string,
  stderr: string,
): unknown {
  if (exitCode === 0) return readOutput(spec, event, stdout);
  if (exitCode === 2 || spec.kind === "blocking_script") {
    const ended = [`${spec.name} ended with exit code ${exitCode}`, signalHint(exitCode)];
    const reason = stderr.trim() || stdout.trim() || ended.filter(Boolean).join(", ");
    return { verdict: "deny", reason: reason.slice(0, maxReasonChars) };
  }
  const told = [signalHint(exitCode), brief(stderr)].filter(Boolean).join("; ");
  throw new SwarmError("SWARM_COMMAND_FAILED", { hook: spec.name, exitCode, stderr: told });
}

/**
 * A shell and bwrap end with 128 and the number of the signal their program was ended by. It stays an exit code: a
 * program may mean it itself (git's 129), and a blocking script denies by any.
 */
function signalHint(exitCode: number): string | null {
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return signal === undefined ? null : `the number for ${signal}`;
}

function readOutput(spec: CommandSpec, event: EventName, stdout: string): unknown {
  const text = stdout.trim();
  if (text === "" || spec.kind === "script") return undefined;
  if (!text.startsWith("{")) return spec.isClaudeShaped ? claudeText(event, text) : { context: text };
  const answer = parse(spec, text);
  return spec.isClaudeShaped ? readClaudeAnswer(event, answer, spec.warn) : answer;
}

/** Claude Code hands plain text to the model on these events only; before compaction it says what to keep. */
function claudeText(event: EventName, text: string): unknown {
  if (event === "compaction.before") return { rewrite: { preserve: [text] } };
  return event === "session.start" || event === "prompt.submit" ? { context: text } : undefined;
}

function parse(spec: CommandSpec, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new SwarmError("SWARM_COMMAND_ANSWER", { hook: spec.name, problem });
  }
}

function brief(stderr: string): string {
  return oneLine(stderr.trim(), maxStderrChars);
}
