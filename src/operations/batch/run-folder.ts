import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { lockFile } from "../../base/file-lock.ts";
import { replaceFileLater, syncFolder } from "../../base/replace-file.ts";
import { readCheckpoint, type SavedCheckpoint } from "./checkpoint-file.ts";
import { type RunnerOrder, type RunSpec, runFiles } from "./run-spec.ts";

/** Another runner that is just ending gets this long. */
const lockWaitMs = 2_000;

export interface RunFolder {
  /** Where the run goes on; null: from the start. */
  readonly checkpoint: SavedCheckpoint | null;
  release(): void;
}

/** Takes the run's folder for this process alone. A folder that holds a run is only taken to go on with it. */
export async function takeFolder({ spec, is_resumed }: RunnerOrder): Promise<RunFolder> {
  const folder = spec.output;
  const within = (file: string) => join(folder, file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockFile(within(runFiles.lock), lockWaitMs);
    if (lock === null) throw new SwarmError("SWARM_BATCH_FOLDER_BUSY", { folder });
    try {
      const hasRun = existsSync(within(runFiles.spec));
      const checkpoint = is_resumed && hasRun ? checkpointOf(folder, spec.run_id) : null;
      // A run that was killed before it wrote anything is taken up from its start.
      if (!is_resumed || !hasRun) await begin(spec);
      return { checkpoint, release: () => lock.release() };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw folderProblem(folder, error);
  }
}

/** Whatever the system says about the folder's files, in our words. */
export function folderProblem(folder: string, error: unknown): Error {
  if (error instanceof SwarmError && error.code !== "SWARM_STORE_FAILED") return error;
  const problem = (error as Error).message;
  return new SwarmError("SWARM_BATCH_DISK_FULL", { folder, problem }, { cause: error });
}

/** One of the files that are replaced whole; the run is this process's alone. */
export function writeRunFile(
  { output }: RunSpec,
  name: "spec" | "checkpoint" | "stats",
  text: string,
): Promise<void> {
  const file = join(output, runFiles[name]);
  return replaceFileLater(file, text, `${file}.new`);
}

async function begin(spec: RunSpec): Promise<void> {
  const folder = spec.output;
  const kept = [runFiles.spec, runFiles.checkpoint, runFiles.results, runFiles.errors, runFiles.stats];
  const file = kept.find((name) => existsSync(join(folder, name)));
  if (file !== undefined) throw new SwarmError("SWARM_BATCH_FOLDER_TAKEN", { folder, file });
  await writeRunFile(spec, "spec", `${JSON.stringify(spec, null, 2)}\n`);
  await syncFolder(folder);
}

function checkpointOf(folder: string, runId: string): SavedCheckpoint | null {
  const { run_id } = JSON.parse(readFileSync(join(folder, runFiles.spec), "utf8")) as RunSpec;
  if (run_id === runId) return readCheckpoint(folder, runId);
  const problem = `${runFiles.spec} is of run ${String(run_id)}`;
  throw new SwarmError("SWARM_BATCH_NOTHING_TO_RESUME", { folder, problem });
}
