import { readdirSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { readBoundedFile } from "../base/bounded-file.ts";
import { SwarmError } from "../base/errors.ts";
import { idPattern } from "../base/ids.ts";
import type { JsonObject } from "../events/schema.ts";

/** Data that a run has made. */
export interface RunData {
  readonly kind: "batch" | "pipeline";
  readonly run_id: string;
  readonly file: string;
  readonly writtenMs: number;
  /** What runs of the same work have in common; null: nothing is known. */
  readonly label: string | null;
}

const maxRunFileBytes = 4 * 1024 * 1024;
/** Looked at when the window is "what was made since": the newest, by their ids. */
const maxRuns = 10_000;

/** The data of a run; throws SWARM_DRIFT_SOURCE_UNKNOWN when there is none. `output`: a step or a file of a pipeline's run. */
export function runData(home: string, runId: string, output: string | null): RunData {
  const found = idPattern.test(runId) ? (batchData(home, runId) ?? pipelineData(home, runId, output)) : null;
  if (found !== null) return found;
  const problem = "there is no batch or pipeline run of this id, and no baseline of this name";
  throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: runId, problem });
}

/** What runs of the same work as this one have made since then, the oldest first. */
export function dataSince(home: string, run: RunData, sinceMs: number, output: string | null): RunData[] {
  const others = runIds(join(home, run.kind === "batch" ? "batch" : "pipelines")).flatMap((id) => {
    if (id === run.run_id) return [];
    const found = run.kind === "batch" ? batchData(home, id) : pipelineDataIfThere(home, id, output);
    const isSameWork =
      found !== null && (run.label === null || found.label === null || found.label === run.label);
    return isSameWork && found.writtenMs >= sinceMs ? [found] : [];
  });
  return others.sort((a, b) => a.writtenMs - b.writtenMs);
}

/** `batch/{run_id}/results.jsonl`, once the run is done. */
function batchData(home: string, runId: string): RunData | null {
  const folder = join(home, "batch", runId);
  const file = join(folder, "results.jsonl");
  const writtenMs = writtenAt(file);
  if (writtenMs === null || jsonIn(join(folder, "checkpoint.json"))?.is_completed === false) return null;
  const spec = jsonIn(join(folder, "spec.json"));
  return {
    kind: "batch",
    run_id: runId,
    file,
    writtenMs,
    label: textOf(spec?.name) ?? textOf(spec?.processor),
  };
}

/** `pipelines/{run_id}/run.json`, whose `outputs` name the files each step has made. */
function pipelineData(home: string, runId: string, wanted: string | null): RunData | null {
  const folder = join(home, "pipelines", runId);
  const run = jsonIn(join(folder, "run.json"));
  if (run === null) return null;
  const outputs = (Array.isArray(run.outputs) ? run.outputs : []) as readonly Partial<
    Record<string, unknown>
  >[];
  const paths = outputs.flatMap(({ step, path }) => {
    const written = textOf(path);
    if (written === null || (wanted !== null && wanted !== step && !isNamed(written, wanted))) return [];
    return isData(written) || wanted === written
      ? [isAbsolute(written) ? written : join(folder, written)]
      : [];
  });
  const [file] = paths;
  const problem =
    wanted === null ? "its outputs have no .jsonl or .csv" : `its outputs have no data of ${wanted}`;
  const writtenMs = file === undefined ? null : writtenAt(file);
  if (file === undefined || writtenMs === null)
    throw new SwarmError("SWARM_DRIFT_SOURCE_UNKNOWN", { source: runId, problem });
  return {
    kind: "pipeline",
    run_id: runId,
    file,
    writtenMs,
    label: textOf(run.pipeline) ?? textOf(run.name),
  };
}

/** A run that has made no data is none of those that have. */
function pipelineDataIfThere(home: string, runId: string, output: string | null): RunData | null {
  try {
    return pipelineData(home, runId, output);
  } catch (error) {
    if (error instanceof SwarmError) return null;
    throw error;
  }
}

function runIds(folder: string): string[] {
  try {
    const ids = readdirSync(folder).filter((id) => idPattern.test(id));
    return ids.sort().slice(-maxRuns);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function writtenAt(file: string): number | null {
  try {
    const stats = statSync(file);
    return stats.isFile() ? stats.mtimeMs : null;
  } catch {
    return null; // whatever keeps it from being looked at: there is nothing to compare
  }
}

function jsonIn(file: string): JsonObject | null {
  try {
    const read: unknown = JSON.parse(readBoundedFile(file, maxRunFileBytes).bytes.toString());
    return typeof read === "object" && read !== null ? (read as JsonObject) : null;
  } catch {
    return null; // no such run, or one that is being written
  }
}

function isData(path: string): boolean {
  return /\.(jsonl|ndjson|csv|tsv)(\.gz)?$/i.test(path);
}

function isNamed(path: string, wanted: string): boolean {
  return path === wanted || path.endsWith(`/${wanted}`);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
