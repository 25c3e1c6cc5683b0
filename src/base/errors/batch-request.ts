import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What can be wrong with what is asked of batch runs. */
export const batchRequestErrors = {
  SWARM_BATCH_PROCESSOR_UNKNOWN: row<{
    processor: string;
    known: readonly string[];
    suggestion: string | undefined;
  }>({
    meaning: "A batch run names a processor that does not exist.",
    remedy: "See docs/batch.md for those there are.",
    status: 400,
    exitCode: 65,
    message: ({ processor, known, suggestion }) =>
      `unknown processor ${show(processor)}${suggestion === undefined ? `, expected ${known.join(", ")}` : didYouMean(suggestion)}`,
  }),
  SWARM_BATCH_RUN_TAKEN: row<{ runId: string }>({
    meaning: "A batch run with this id is there already. Nothing was done.",
    remedy: "Give another id, or go on with the run there is: `swarm batch resume`.",
    status: 409,
    exitCode: 65,
    message: ({ runId }) => `a batch run ${show(runId)} is there already, expected another id`,
  }),
  SWARM_BATCH_RUN_UNKNOWN: row<{ runId: string }>({
    meaning: "There is no batch run with this id.",
    remedy: "See `swarm batch list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ runId }) => `there is no batch run ${show(runId)}`,
  }),
  SWARM_BATCH_RUN_STATE: row<{ runId: string; state: string; expected: string }>({
    meaning: "A batch run is in a state in which this cannot be done.",
    remedy: "See `swarm batch status` for how it is.",
    status: 409,
    exitCode: 65,
    message: ({ runId, state, expected }) =>
      `batch run ${show(runId)} is ${oneLine(state, 200)}, expected ${expected}`,
  }),
  SWARM_BATCH_RUN_LOST: row<{ runId: string }>({
    meaning: "A batch run was ended, taken up or removed by somebody else at the same moment.",
    remedy: "See `swarm batch status` for how it is, and repeat what you wanted.",
    status: 409,
    exitCode: 65,
    message: ({ runId }) => `batch run ${show(runId)} was changed by somebody else meanwhile`,
  }),
  SWARM_BATCH_DENIED: row<{ runId: string; reason: string }>({
    meaning:
      "A hook, a rule or a person has denied a batch run. Nothing of it ran, and nothing is left of it.",
    remedy: "See the reason; `swarm policy check` shows the rules in force.",
    status: 403,
    exitCode: 65,
    message: ({ runId, reason }) => `batch run ${show(runId)} does not run: ${oneLine(reason, 1_000)}`,
  }),
  SWARM_BATCH_UPLOAD_BROKEN: row<{ problem: string }>({
    meaning: "The records of a batch run did not come to their end. Nothing is left of them.",
    remedy: "Send them again.",
    status: 400,
    exitCode: 65,
    message: ({ problem }) => `the records ended before their end: ${oneLine(problem, 300)}`,
  }),
  SWARM_BATCH_FOLDER_FAILED: row<{ folder: string; problem: string }>({
    meaning: "The folder of a batch run cannot be made or written to, as when the disk is full.",
    remedy: "Make room, or give another folder with `--output`.",
    status: 507,
    exitCode: 75,
    message: ({ folder, problem }) => `folder ${show(folder)}: ${oneLine(problem, 300)}`,
  }),
  SWARM_BATCH_NOTHING_FOLLOWS: row<{ option: string }>({
    meaning: "A batch run was to go on by itself, and there is no daemon that would follow it.",
    remedy: "Start one with `swarm up`, or leave the option out.",
    status: 409,
    exitCode: 65,
    message: ({ option }) => `${option} needs a daemon and none runs, expected swarm up before`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
