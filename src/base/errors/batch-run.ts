import { oneLine, show } from "../show.ts";
import { type ErrorRow, row } from "./row.ts";

/** What can end a batch run that was begun, or keep its runner from beginning. */
export const batchRunErrors = {
  SWARM_BATCH_FOLDER_TAKEN: row<{ folder: string; file: string }>({
    meaning: "A batch run was to be begun in a folder that holds one already. Nothing was done.",
    remedy: "Give another folder, or go on with the run there is: `swarm batch resume`.",
    status: 409,
    exitCode: 65,
    message: ({ folder, file }) =>
      `${oneLine(folder, 300)} has ${file} already, expected a folder without a run`,
  }),
  SWARM_BATCH_FOLDER_BUSY: row<{ folder: string }>({
    meaning: "Another process is running the batch run of this folder.",
    remedy: "Wait for it, or end it with `swarm batch cancel`.",
    status: 409,
    exitCode: 65,
    message: ({ folder }) =>
      `the run in ${oneLine(folder, 300)} is under way in another process, expected none`,
  }),
  SWARM_BATCH_NOTHING_TO_RESUME: row<{ folder: string; problem: string }>({
    meaning: "A batch run was to be taken up again, and its folder does not hold what it needs for that.",
    remedy: "Submit the records as a new run.",
    status: 409,
    exitCode: 65,
    message: ({ folder, problem }) => `${oneLine(folder, 300)} cannot be resumed: ${oneLine(problem, 500)}`,
  }),
  SWARM_BATCH_INPUT_UNREADABLE: row<{ input: string; problem: string }>({
    meaning: "The records of a batch run cannot be read, or not to their end.",
    remedy: "See what the message names; what was done stays, and `swarm batch resume` goes on from there.",
    status: 400,
    exitCode: 65,
    message: ({ input, problem }) => `${oneLine(input, 300)} cannot be read: ${oneLine(problem, 500)}`,
  }),
  SWARM_BATCH_INPUT_CHANGED: row<{ input: string; what: string }>({
    meaning:
      "The file of the records is not what it was when the run began: offsets into it mean nothing now.",
    remedy: "Put the file back as it was, or submit the new one as a new run.",
    status: 409,
    exitCode: 65,
    message: ({ input, what }) =>
      `${oneLine(input, 300)} has changed since the run began (${what}): put it back, or submit it as a new run`,
  }),
  SWARM_BATCH_DISK_FULL: row<{ folder: string; problem: string }>({
    meaning:
      "The results of a batch run cannot be written: the disk is full or failing. It stopped at its checkpoint.",
    remedy: "Make room on the disk; `swarm batch resume` goes on from the checkpoint.",
    status: 507,
    exitCode: 75,
    message: ({ folder, problem }) =>
      `${oneLine(folder, 300)} cannot be written, is the disk full? ${oneLine(problem, 300)}; make room and resume`,
  }),
  SWARM_BATCH_TOO_MANY_ERRORS: row<{ failed: number; limit: number }>({
    meaning: "More records of a batch run failed than its max_errors allows.",
    remedy: "See errors.jsonl for why; `swarm batch resume` goes on from there.",
    status: 409,
    exitCode: 65,
    message: ({ failed, limit }) => `${failed} records failed, expected at most ${limit}`,
  }),
  SWARM_BATCH_RUNNER_LOST: row<{ runId: string; how: string }>({
    meaning:
      "The process of a batch run ended without a word, as when it was killed. What it made durable stays.",
    remedy: "Go on from the last checkpoint with `swarm batch resume`.",
    status: 503,
    exitCode: 75,
    message: ({ runId, how }) => `the process of batch run ${show(runId)} ${oneLine(how, 1_500)}; resume it`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
