import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What can be wrong with a comparison of data. */
export const driftErrors = {
  SWARM_DRIFT_SOURCE_UNKNOWN: row<{ source: string; problem: string; suggestion: string | undefined }>({
    meaning: "What a drift check should compare is not there.",
    remedy:
      "Give the path of a JSONL or CSV file, the id of a batch or pipeline run, or a name of `swarm baselines list`.",
    status: 404,
    exitCode: 65,
    message: ({ source, problem, suggestion }) =>
      `${show(source)} cannot be compared: ${oneLine(problem, 500)}${didYouMean(suggestion)}`,
  }),
  SWARM_DRIFT_RUN_UNFINISHED: row<{
    kind: "batch" | "pipeline";
    run: string;
    state: string;
    reason: string | null;
  }>({
    meaning:
      "A run whose data a drift check should compare is not completed: it is under way, failed or was ended.",
    remedy:
      "Wait for its end, or go on with it: `swarm batch resume RUN_ID`, `swarm pipelines run --resume RUN`.",
    status: 409,
    exitCode: 65,
    message: ({ kind, run, state, reason }) =>
      `${kind} run ${show(run)} cannot be compared before it is completed: it is ${state}${
        reason === null ? "" : ` (${oneLine(reason, 300)})`
      }`,
  }),
  SWARM_DRIFT_RUN_DATA_GONE: row<{ run: string; file: string; problem: string }>({
    meaning: "What a run has made was removed or written over, so that a drift check cannot compare it.",
    remedy:
      "Compare another run, or run it again; `swarm baselines set NAME RUN` keeps what checks need of a run's data.",
    status: 410,
    exitCode: 65,
    message: ({ run, file, problem }) =>
      `what ${oneLine(run, 300)} has made is gone: ${oneLine(file, 300)} ${oneLine(problem, 300)}`,
  }),
  SWARM_DRIFT_DATA_INVALID: row<{ file: string; problem: string }>({
    meaning: "The data of a drift check could not be read, or there is not enough of it.",
    remedy: "Look at the file and place it names; docs/drift.md says what is read.",
    status: 422,
    exitCode: 65,
    message: ({ file, problem }) => `${oneLine(file, 300)}: ${oneLine(problem, 500)}`,
  }),
  SWARM_DRIFT_ENDED: row<{ problem: string }>({
    meaning: "A drift check was ended before it was done, or ran out of memory.",
    remedy: "Run it again, with fewer features (`features`, `ignore`) or a longer `timeout_s`.",
    status: 503,
    exitCode: 75,
    message: ({ problem }) => `the drift check was ended: ${oneLine(problem, 500)}`,
  }),
  SWARM_DRIFT_CHECK_UNKNOWN: row<{ check: string }>({
    meaning: "There is no drift check with this id.",
    remedy: "See `swarm drift list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ check }) => `there is no drift check ${show(check)}`,
  }),
  SWARM_BASELINE_UNKNOWN: row<{ name: string; suggestion: string | undefined }>({
    meaning: "There is no baseline of this name.",
    remedy: "See `swarm baselines list` for those there are, or make it with `swarm baselines set`.",
    status: 404,
    exitCode: 64,
    message: ({ name, suggestion }) => `there is no baseline ${show(name)}${didYouMean(suggestion)}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
