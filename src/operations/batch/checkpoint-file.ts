import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import { readIfThere } from "../../base/private-file.ts";
import { show } from "../../base/show.ts";
import type { Range } from "./done-ranges.ts";
import { earlyFiles, type EarlyPart } from "./early-file.ts";
import type { Fingerprint } from "./input-file.ts";
import { type Checkpoint, runFiles } from "./run-spec.ts";
import type { SavedTotals } from "./run-totals.ts";

/** `checkpoint.json`: what is told of it, and what only the next leg needs. */
export interface SavedCheckpoint extends Checkpoint {
  readonly format: 1;
  readonly ids_bytes: number;
  /** Done beyond `input_bytes`; only where results are written as they come. */
  readonly beyond: readonly Range[];
  /** Where the results are that wait for one before them; only where they are written in order. */
  readonly early: EarlyPart | null;
  readonly input: Fingerprint;
  readonly started_at: string;
  readonly totals: SavedTotals;
}

/** What of a checkpoint others are told. */
export function publicPart(saved: SavedCheckpoint): Checkpoint {
  const {
    format: _,
    ids_bytes: __,
    beyond: ___,
    early: ____,
    input: _____,
    started_at: ______,
    totals: _______,
    ...rest
  } = saved;
  return rest;
}

/** Null: the run was ended before its first. */
export function readCheckpoint(folder: string, runId: string): SavedCheckpoint | null {
  const text = readIfThere(join(folder, runFiles.checkpoint));
  if (text === null) return null;
  const refuse = (problem: string) => new SwarmError("SWARM_BATCH_NOTHING_TO_RESUME", { folder, problem });
  let saved: Partial<SavedCheckpoint> | null;
  try {
    saved = parseJson(text) as Partial<SavedCheckpoint> | null;
  } catch (error) {
    throw refuse(`${runFiles.checkpoint} is not JSON: ${(error as Error).message}`);
  }
  if (saved?.format !== 1) throw refuse(`${runFiles.checkpoint} is not of format 1`);
  if (saved.run_id !== runId) throw refuse(`${runFiles.checkpoint} is of run ${String(saved.run_id)}`);
  const offsets = [
    "input_bytes",
    "input_lines",
    "results_bytes",
    "errors_bytes",
    "ids_bytes",
    "leg",
  ] as const;
  const wrong = offsets.find((name) => !Number.isSafeInteger(saved[name]) || Number(saved[name]) < 0);
  const early = saved.early ?? null;
  if (early !== null && !(earlyFiles.includes(early.file) && Number.isSafeInteger(early.bytes)))
    throw refuse(`${runFiles.checkpoint} names ${show(early)} as the results that wait`);
  if (wrong !== undefined || saved.totals === undefined || saved.input === undefined) {
    throw refuse(`${runFiles.checkpoint} lacks ${wrong ?? "totals or input"}`);
  }
  return { ...saved, early } as SavedCheckpoint;
}
