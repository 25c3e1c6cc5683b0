import { startProblem } from "./explain-start-failure.ts";
import type { ProcessLimits } from "./process-limits.ts";
import { bwrapFailure } from "./process-namespace.ts";
import type { ProcessEnding, Program } from "./run-process.ts";

/**
 * What an exit code stands for. Under `exec` in a shell a program that cannot be started is exit 126 or 127, which a
 * program may also mean; one whose namespace cannot be made is exit 1 and a word of bwrap's, so this needs all of
 * standard error.
 */
export function endingOf<E extends ProcessEnding>(
  program: Program,
  { ulimits, namespace }: Pick<ProcessLimits, "namespace" | "ulimits">,
  ending: E,
  stderr: string,
): E | (ProcessEnding & { how: "not_started" }) {
  if (ending.how !== "exited") return ending;
  const { exitCode } = ending;
  const failure = namespace === null ? null : bwrapFailure(exitCode, stderr);
  const isStartDoubtful = failure !== null || (ulimits && (exitCode === 126 || exitCode === 127));
  const error = isStartDoubtful ? (startProblem(program) ?? failure) : null;
  return error === null ? ending : { how: "not_started", error };
}
