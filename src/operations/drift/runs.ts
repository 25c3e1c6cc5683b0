import { statSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import { isDone, type StoredBatchRun } from "../batch/port/batch-run.ts";
import type { BatchStore } from "../batch/port/batch-store.ts";
import type { CheckedRun } from "./port/drift-mark-store.ts";
import type { PipelineStore, StoredPipelineRun } from "../pipelines/port/pipeline-store.ts";
import type { DataFile } from "./summary/summarise.ts";

/** What is known of runs: the store's word counts, wherever a run has its files. */
export interface RunBook {
  readonly batch: Pick<BatchStore, "find" | "list">;
  readonly pipelines: Pick<PipelineStore, "findRun" | "listRuns" | "stepsOf">;
}

/** Data that a run has made. */
export interface RunData extends CheckedRun {
  readonly file: DataFile;
  readonly endedMs: number;
  /** What runs of the same work have in common: a batch run's name or else its processor, a pipeline's name. */
  readonly label: string;
}

/** Looked at when the window is "what was made since", and for an id nearly like the one that is asked for: the newest. */
const maxRuns = 10_000;
const maxSuggested = 1_000;

/** The data of a run that is completed. `output`: a step or a file of a pipeline's run. */
export async function runData(book: RunBook, runId: string, output: string | null): Promise<RunData> {
  const batch = await book.batch.find(runId);
  if (batch !== null) return batchData(batch);
  const run = await book.pipelines.findRun(runId);
  if (run !== null) return pipelineData(book, run, output);
  const problem = "there is no batch or pipeline run of this id, and no baseline of this name";
  const suggestion = suggest(runId, await newestIds(book));
  throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: runId, problem, suggestion });
}

/** What runs of the same work as this one have made since then and is still there, the oldest first. */
export async function dataSince(
  book: RunBook,
  of: RunData,
  sinceMs: number,
  output: string | null,
): Promise<RunData[]> {
  const isOther = ({ run_id, ended_at }: StoredBatchRun | StoredPipelineRun) =>
    run_id !== of.run_id && Date.parse(ended_at ?? "") >= sinceMs;
  const later: Promise<RunData | null>[] =
    of.kind === "batch"
      ? [
          ...(await book.batch.list({ limit: maxRuns, state: "completed" })),
          ...(await book.batch.list({ limit: maxRuns, state: "completed_with_errors" })),
        ]
          .sort((a, b) => b.seq - a.seq)
          .filter((run) => isOther(run) && labelOf(run) === of.label)
          .map((run) => ifThere(async () => batchData(run)))
      : (await book.pipelines.listRuns({ limit: maxRuns, pipeline: of.label }))
          .filter((run) => isOther(run) && run.status === "completed")
          .map((run) => ifThere(() => pipelineData(book, run, output)));
  const found = (await Promise.all(later)).filter((data) => data !== null);
  // Newest first: the next run of a pipeline may have written over what the one before has made.
  const files = new Map(found.toReversed().map((data) => [data.file.path, data]));
  return [...files.values()].sort((a, b) => a.endedMs - b.endedMs);
}

/** `results.jsonl` in the run's folder, which may be one of the user's choosing. */
function batchData(run: StoredBatchRun): RunData {
  const { run_id, state, reason, ended_at, results_bytes } = run;
  checkDone("batch", run_id, isDone(state), state, reason);
  const path = join(String(run.spec.output), "results.jsonl");
  checkThere(`batch run ${run_id}`, path, results_bytes);
  return {
    kind: "batch",
    run_id,
    file: { path, isBatch: true, sha256: null },
    endedMs: Date.parse(ended_at ?? ""),
    label: labelOf(run),
  };
}

/** A file one of its steps has made, or was skipped for having made before. */
async function pipelineData(
  book: RunBook,
  { run_id, status, reason, folder, ended_at, pipeline }: StoredPipelineRun,
  wanted: string | null,
): Promise<RunData> {
  checkDone("pipeline", run_id, status === "completed", status, reason);
  const steps = await book.pipelines.stepsOf(run_id);
  const outputs = steps.flatMap(({ step, outputs: made }) => made.map((output) => ({ step, ...output })));
  const found = outputs.find(({ step, path }) =>
    wanted === null
      ? isData(path)
      : path === wanted || (isData(path) && (step === wanted || isNamed(path, wanted))),
  );
  if (found === undefined) {
    const problem =
      wanted === null ? "its outputs have no .jsonl or .csv" : `its outputs have no data of ${wanted}`;
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: run_id, problem, suggestion: undefined });
  }
  const path = join(folder, found.path);
  checkThere(`pipeline run ${run_id}`, path, found.bytes);
  return {
    kind: "pipeline",
    run_id,
    file: { path, isBatch: false, sha256: found.sha256 },
    endedMs: Date.parse(ended_at ?? ""),
    label: pipeline,
  };
}

/** What a run has made so far is no more than a part, and which part nobody chose. */
function checkDone(
  kind: CheckedRun["kind"],
  run: string,
  isDone: boolean,
  state: string,
  reason: string | null,
): void {
  if (!isDone) throw new SwarmError("SWARM_DRIFT_RUN_UNFINISHED", { kind, run, state, reason });
}

/** Of another length it is not what the run has made; whether it is the same to the byte is seen when it is read. */
function checkThere(run: string, file: string, bytes: number): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const problem =
    stats === undefined
      ? "was removed"
      : stats.size === bytes
        ? null
        : `has ${stats.size} bytes, the run made ${bytes}: it was written over or cut`;
  if (problem !== null) throw new SwarmError("SWARM_DRIFT_RUN_DATA_GONE", { run, file, problem });
}

/** A run that has made no data, or whose data are gone, is none of those that have. */
async function ifThere(data: () => Promise<RunData>): Promise<RunData | null> {
  try {
    return await data();
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

async function newestIds({ batch, pipelines }: RunBook): Promise<string[]> {
  const found = [
    ...(await batch.list({ limit: maxSuggested })),
    ...(await pipelines.listRuns({ limit: maxSuggested })),
  ];
  return found.map(({ run_id }) => run_id);
}

function labelOf({ name, processor }: StoredBatchRun): string {
  return name ?? processor;
}

function isData(path: string): boolean {
  return /\.(jsonl|ndjson|csv|tsv)(\.gz)?$/i.test(path);
}

function isNamed(path: string, wanted: string): boolean {
  return path === wanted || path.endsWith(`/${wanted}`);
}
