import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SwarmError } from "../../../base/errors.ts";
import type { JsonObject } from "../../../engine/events/schema.ts";
import { type BatchProgress, progressIn } from "../port/batch-run.ts";
import { type Checkpoint, type RunSpec, runFiles } from "../run-spec.ts";

export function resultsFile(output: string): string {
  return join(output, runFiles.results);
}

export function errorsFile(output: string): string {
  return join(output, runFiles.errors);
}

/** How far a run has come as its folder says, which may know more than the store; null: nothing that can be read. */
export function progressOf({ output, run_id }: RunSpec, inputSize: number | null): BatchProgress | null {
  const found = readJson(join(output, runFiles.checkpoint)) as Checkpoint | null;
  return found?.run_id === run_id ? toldBy(found, inputSize) : null;
}

export function toldBy(checkpoint: Checkpoint, input_size: number | null): BatchProgress {
  return progressIn({ ...checkpoint, input_size });
}

/** What the run came to; null before it is completed. */
export function statsOf({ output }: Pick<RunSpec, "output">): JsonObject | null {
  return readJson(join(output, runFiles.stats)) as JsonObject | null;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // not there yet, or not any more
  }
}

/** SHA-256 of what is durable of each file. Read in pieces: hashing one takes 0.2 ms of the event loop. */
export async function digestsOf({ output }: RunSpec, { results_bytes, errors_bytes }: BatchProgress) {
  return {
    results_sha256: await digestOf(resultsFile(output), results_bytes),
    errors_sha256: await digestOf(errorsFile(output), errors_bytes),
  };
}

const pieceBytes = 256 * 1024;

/** Null when the file is not there, or shorter than it was. */
async function digestOf(file: string, bytes: number): Promise<string | null> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await handle.read(piece, 0, Math.min(pieceBytes, bytes - at), at);
      if (bytesRead === 0) return null;
      hash.update(piece.subarray(0, bytesRead));
      at += bytesRead;
    }
    return hash.digest("hex");
  } finally {
    await handle.close();
  }
}

/** Names a run uses in its folder; `results.jsonl` and the like. */
const ownFiles: readonly string[] = Object.values(runFiles);
const spooledFiles = ["input.jsonl", "input.jsonl.gz"];

/** Throws when a folder holds a run, or an input that is not ours would be written over. */
export function checkFree(folder: string, isSpooled: boolean): void {
  const names = isSpooled ? [...ownFiles, ...spooledFiles] : ownFiles;
  const file = names.find((name) => existsSync(join(folder, name)));
  if (file !== undefined) throw new SwarmError("SWARM_BATCH_FOLDER_TAKEN", { folder, file });
}

/** Removes what a run has written, and its folder if nothing else is in it. An input of somebody else's stays. */
export async function removeFiles({
  output,
  input,
  is_spooled,
}: Pick<RunSpec, "output" | "input" | "is_spooled">): Promise<void> {
  const files = ownFiles.flatMap((name) => [join(output, name), join(output, `${name}.new`)]);
  for (const file of is_spooled === true ? [...files, input] : files) await rm(file, { force: true });
  await rmdir(output).catch(() => undefined); // there is more in it, or it is gone
}

/** Whether a path is in a folder, by its name. */
export function isWithin(folder: string, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (at === folder) return true;
    if (at === dirname(at)) return false;
  }
}
