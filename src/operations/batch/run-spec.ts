import type { JsonObject } from "../../engine/events/schema.ts";
import type { BatchSettings } from "./port/batch-run.ts";
import type { TrustedCopy } from "./port/processor.ts";

/** All a run needs to start, and to be taken up again: `spec.json` in its folder. Its paths are absolute. */
export interface RunSpec extends BatchSettings {
  readonly run_id: string;
  /** The input is compressed. */
  readonly is_gzip: boolean;
  /** The input came by standard input or REST, was written to the run's folder first, and goes when the run is forgotten. */
  readonly is_spooled?: true;
}

/** What is durable: everything before it counts, everything after it is cut off and done again. Also `checkpoint.json`. */
export interface Checkpoint {
  readonly run_id: string;
  /** Legs so far: 1, and one more for each time it was taken up again. */
  readonly leg: number;
  /** Where the first record begins that is not done; a compressed input is counted as what it inflates to. */
  readonly input_bytes: number;
  readonly input_lines: number;
  readonly results_bytes: number;
  readonly errors_bytes: number;
  readonly done_count: number;
  readonly failed_count: number;
  /** Milliseconds of all legs. */
  readonly duration_ms: number;
  readonly at: string;
  /** Nothing is left to do. */
  readonly is_completed: boolean;
}

/** What a run's folder holds. */
export const runFiles = {
  spec: "spec.json",
  results: "results.jsonl",
  errors: "errors.jsonl",
  checkpoint: "checkpoint.json",
  stats: "stats.json",
  duplicates: "duplicates.jsonl",
  workerLog: "worker.log",
  /** Hashes of the ids, while it runs. */
  ids: "ids.bin",
  /** Results whose turn to be written has not come. */
  earlyA: "early-a.bin",
  earlyB: "early-b.bin",
  lock: "run.lock",
} as const;

/** What the runner's process reads first, one JSON line. After it `{"type":"stop"}` or the end has it stop. */
export interface RunnerOrder {
  readonly spec: RunSpec;
  /** Whether it goes on from the checkpoint; a folder with a run in it is refused otherwise. */
  readonly is_resumed: boolean;
  /** How the processor's programs are contained. */
  readonly sandbox: "off" | "strict";
  /** Where the approved bytes of its processor's files are that run code when they are loaded. */
  readonly copies?: Readonly<Record<string, TrustedCopy>>;
}

/** What the runner's process tells whoever started it, one JSON line each. */
export type RunnerMessage =
  /** `input_size`: to be compared with `input_bytes`; of a compressed input it is an estimate, null before there is one. */
  | { readonly type: "checkpoint"; readonly checkpoint: Checkpoint; readonly input_size: number | null }
  | { readonly type: "completed"; readonly checkpoint: Checkpoint; readonly stats: JsonObject }
  /** Everything up to the checkpoint stays, and `resume` goes on from there. */
  | { readonly type: "stopped"; readonly checkpoint: Checkpoint | null; readonly reason: "cancelled" }
  | {
      readonly type: "failed";
      readonly checkpoint: Checkpoint | null;
      readonly code: string;
      readonly message: string;
    };
