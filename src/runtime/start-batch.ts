import { extname, join } from "node:path";
import type { RunnerOrder } from "../batch/run-spec.ts";
import { type RunningBatch, type StartRunOptions, startRun } from "../batch/start-run.ts";

/** The source, or what was built of it: whichever this file is. */
const program = join(import.meta.dirname, `batch-runner${extname(import.meta.filename)}`);

/** Starts a batch run with every kind of processor there is. */
export function startBatch(order: RunnerOrder, options: Omit<StartRunOptions, "program">): RunningBatch {
  return startRun(order, { ...options, program });
}
