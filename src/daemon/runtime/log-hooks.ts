import type { Log } from "../../base/log.ts";
import { redact } from "../../base/redact.ts";
import { cut } from "../../base/show.ts";
import type { HandlerRecord, Outcome } from "../../engine/events/outcome.ts";
import type { RunProgram } from "../../handlers/command/command-handler.ts";
import { describeEnding } from "../../handlers/process/describe-ending.ts";

/** One line per event, for whoever asked for it. */
export function logOutcome(log: Log, outcome: Outcome, data: object): void {
  const { event, id, decision, handlers } = outcome;
  log.debug?.(`hooks: ${event} ${decision.verdict}`, {
    id,
    data: redact(data),
    decision,
    handlers: [...handlers],
  });
}

/** What an observer came to: the line of its event is written before it has run. */
export function logObserved(log: Log, { event, id }: Outcome, record: HandlerRecord): void {
  log.debug?.(`hooks: ${event} observed by ${record.name}: ${record.status}`, { id, ...record });
}

const maxStderrChars = 2_000;

/** Runs programs and logs how each ended and what it wrote to its error output, whatever its mode. */
export function loggedRun(run: RunProgram, hook: string, log: Log): RunProgram {
  return async (program, limits, call) => {
    const result = await run(program, limits, call);
    const { exitCode, problem } = describeEnding(result.ending, program.timeoutMs);
    log.debug?.(`hooks: ${call.event} program of ${hook}: ${problem ?? "exit code 0"}`, {
      id: call.id,
      exit_code: exitCode,
      stderr: redact(cut(result.stderr, maxStderrChars)),
      ms: Math.round(result.ms),
    });
    return result;
  };
}
