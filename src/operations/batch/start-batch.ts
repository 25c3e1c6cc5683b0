import { extname, join } from "node:path";
import type { RunnerOrder } from "./run-spec.ts";
import { type RunningBatch, type StartRunOptions, startRun } from "./start-run.ts";

/** The source, or the bundle of what was built of it: whichever this file is. */
const isSource = extname(import.meta.filename) === ".ts";
const program = join(
  import.meta.dirname,
  isSource ? "batch-runner.ts" : "../../bundle/batch/batch-runner.js",
);

/** Starts a batch run with every kind of processor there is. */
export function startBatch(order: RunnerOrder, options: Omit<StartRunOptions, "program">): RunningBatch {
  return startRun(order, { ...options, program });
}
