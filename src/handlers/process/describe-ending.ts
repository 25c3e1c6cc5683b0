import { constants } from "node:os";
import { oneLine } from "../../base/show.ts";
import type { ProcessEnding } from "./run-process.ts";

/** How a program ended, for whoever ran it to know whether it did its work; `problem` is null when it did. */
export function describeEnding(
  ending: ProcessEnding,
  timeoutMs: number,
): { readonly exitCode: number | null; readonly problem: string | null } {
  switch (ending.how) {
    case "exited": {
      const { exitCode } = ending;
      return { exitCode, problem: exitCode === 0 ? null : `exit code ${exitCode}${signalHint(exitCode)}` };
    }
    case "signalled":
      return { exitCode: null, problem: `ended by ${ending.signal}` };
    case "not_started":
      return { exitCode: null, problem: `it could not be started: ${oneLine(ending.error, 500)}` };
    case "timed_out":
      return { exitCode: null, problem: `ended after ${timeoutMs / 1_000} s, its timeout` };
    case "flooded":
      return { exitCode: null, problem: "it printed more than is kept" };
    case "cancelled":
      return { exitCode: null, problem: "it was ended" };
  }
}

/** A shell ends with 128 and the number of the signal its program was ended by. */
function signalHint(exitCode: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return signal === undefined ? "" : `, the number for ${signal}`;
}
