import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can be wrong with the workers of a batch run, and with what they are to do. */
export const batchWorkerErrors = {
  SWARM_BATCH_FUNCTION_UNKNOWN: row<{ module: string; looked: readonly string[] }>({
    meaning: "The module of a custom processor's function was not found, or found as two things.",
    remedy: "Write it as a path (`./score.ts:score`), or set `runtime` to node or python.",
    status: 400,
    exitCode: 65,
    message: ({ module, looked }) =>
      `module ${show(module)} is not one: ${oneLine(looked.join("; "), 1_500)}`,
  }),
  SWARM_BATCH_START_FAILED: row<{ processor: string; problem: string }>({
    meaning: "The workers of a batch run do not start, or none of them has ever done a record.",
    remedy: "Repair what it names; what the workers printed is in worker.log of the run's folder.",
    status: 400,
    exitCode: 65,
    message: ({ processor, problem }) =>
      `no worker of processor ${show(processor)} can be used: ${oneLine(problem, 1_500)}`,
  }),
  SWARM_BATCH_WORKER_LOST: row<{ how: string }>({
    meaning: "A worker of a batch run ended while it had records. They are done again by another one.",
    remedy: "Nothing, unless a record fails for it: worker.log of the run's folder has what it printed.",
    status: 503,
    exitCode: 75,
    message: ({ how }) => `the worker ${oneLine(how, 1_500)}, expected it to stay`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
