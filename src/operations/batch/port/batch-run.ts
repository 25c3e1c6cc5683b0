import type { ProcessIdentity } from "../../../base/process-identity.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type SettingsOf, settings } from "../../port/setting.ts";

/**
 *     waiting_approval ──▶ running ──▶ completed · completed_with_errors
 *            │                │ ▲
 *            ▼                ▼ │ resume
 *        cancelled      failed · cancelled · interrupted
 *
 * `completed_with_errors`: every record was tried, and some failed; their rows are in errors.jsonl.
 * `interrupted`: whoever ran it ended first, or stopped. What was durable by then stays, and `resume` goes on from there.
 */
export const batchStates = [
  "waiting_approval",
  "running",
  "completed",
  "completed_with_errors",
  "failed",
  "cancelled",
  "interrupted",
] as const;
export type BatchState = (typeof batchStates)[number];

/** Whether every record was tried. */
export function isDone(state: BatchState): boolean {
  return state === "completed" || state === "completed_with_errors";
}

/** How far a run has come, as its last checkpoint says. */
export interface BatchProgress {
  readonly done_count: number;
  readonly failed_count: number;
  /** Of the input, inflated. */
  readonly input_bytes: number;
  /** Null: not known, as of a compressed one at first. */
  readonly input_size: number | null;
  /** Durable lengths. */
  readonly results_bytes: number;
  readonly errors_bytes: number;
  /** Of all legs. */
  readonly duration_ms: number;
}

export const noProgress: BatchProgress = {
  done_count: 0,
  failed_count: 0,
  input_bytes: 0,
  input_size: null,
  results_bytes: 0,
  errors_bytes: 0,
  duration_ms: 0,
};

/** What a run, or a checkpoint, says of that and nothing else. */
export function progressIn(run: BatchProgress): BatchProgress {
  const { done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes, duration_ms } = run;
  return { done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes, duration_ms };
}

/** A batch run as it is kept. Times are ISO 8601 in UTC with milliseconds. */
export interface BatchRun extends BatchProgress {
  readonly run_id: string;
  readonly name: string | null;
  readonly processor: string;
  readonly state: BatchState;
  /** Why it waits, failed or was ended. */
  readonly reason: string | null;
  /** All it needs to be taken up again: `spec.json` of its folder. */
  readonly spec: JsonObject;
  /** 0 before it runs, 1, and one more for each time it was taken up again. Whoever begins a leg has the run. */
  readonly leg: number;
  /** The process that follows it. */
  readonly owner: ProcessIdentity;
  /** The process that does it; null before it is started. */
  readonly runner: ProcessIdentity | null;
  /** The row of the record that announces its last leg. */
  readonly intent_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** Whether a run can be taken up again, and would come further: records that failed are not tried again. */
export function canResume({ state, failed_count, spec }: BatchRun): boolean {
  const { max_errors } = spec as unknown as BatchSettings;
  const isStopped = state === "failed" || state === "cancelled" || state === "interrupted";
  return isStopped && !(typeof max_errors === "number" && failed_count > max_errors);
}

/** A run with its place in the list. */
export interface StoredBatchRun extends BatchRun {
  readonly seq: number;
}

/** Whether results are in the order of the input, or as they come. */
export const batchOrders = ["record", "completion"] as const;

const path = {
  placeholder: "FOLDER",
  isPath: true,
  expected: "an absolute path of at most 4096 characters",
  pattern: /^\/[^\0]{0,4095}$/,
} as const;

/** What is said of a run when it is submitted, by REST and on the command line. */
export const batchFields = settings({
  processor: {
    type: "string",
    isRequired: true,
    placeholder: "NAME",
    about: "What is done to each record: echo, custom, command or inference.",
  },
  config: { type: "object", default: {}, about: "What the processor needs to know." },
  input: {
    type: "string",
    ...path,
    placeholder: "FILE",
    about: "File with the records, one JSON object a line, plain or gzip.",
  },
  output: {
    type: "string",
    ...path,
    otherwise: "batch/RUN_ID in SWARM_HOME",
    about: "Folder of results.jsonl, errors.jsonl, checkpoint.json and stats.json.",
  },
  name: {
    type: "string",
    placeholder: "NAME",
    pattern: /^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]{1,128}$/u,
    expected: "a text of 1 to 128 characters on one line",
    default: null,
    otherwise: "its id",
    about: "What hooks and rules know it by.",
  },
  order: {
    type: "string",
    values: batchOrders,
    default: "record",
    about: "Results in the order of the records, or as they are completed.",
  },
  concurrency: {
    type: "integer",
    min: 1,
    max: 256,
    otherwise: "the cores, at most 4",
    about: "Workers at once.",
  },
  id_field: {
    type: "string",
    placeholder: "FIELD",
    pattern: /^.{1,256}$/su,
    expected: "a text of 1 to 256 characters",
    default: "record_id",
    about: "The field that names a record; one without it is named by its line.",
  },
  dedupe: {
    type: "boolean",
    default: false,
    placeholder: null,
    about: "Leaves out each record whose id an earlier one has; the input is read once before.",
  },
  max_errors: {
    type: "integer",
    min: 0,
    max: 1_000_000_000,
    default: null,
    otherwise: "however many fail, it goes on",
    about: "More failed records than this end the run.",
  },
  record_timeout_s: {
    type: "integer",
    min: 1,
    max: 86_400,
    default: 30,
    about: "A record that takes longer fails.",
  },
  checkpoint_records: {
    type: "integer",
    min: 1,
    max: 10_000_000,
    default: 10,
    about: "A checkpoint after so many records that take over 10 ms each.",
  },
  checkpoint_ms: {
    type: "integer",
    min: 10,
    max: 3_600_000,
    default: 100,
    about: "Milliseconds within which what is finished is kept; between checkpoints of quick records.",
  },
  chunk_records: {
    type: "integer",
    min: 1,
    max: 100_000,
    default: null,
    otherwise: "found while it runs",
    about: "Records a worker is given at once.",
  },
  cwd: {
    type: "string",
    ...path,
    otherwise: "SWARM_HOME",
    about: "Folder whose hooks and rules see it, and where relative paths of the configuration start.",
  },
});

/** What is said of a run, every default filled in. */
export type BatchSettings = SettingsOf<typeof batchFields>;
