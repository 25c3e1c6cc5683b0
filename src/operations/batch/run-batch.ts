import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { syncFolder } from "../../base/replace-file.ts";
import { RotatingFile } from "../../base/rotating-file.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Processor, ProcessorKind } from "./port/processor.ts";
import { publicPart, type SavedCheckpoint } from "./checkpoint-file.ts";
import { EarlyFile, type EarlyPart, earlyFiles } from "./early-file.ts";
import { findDuplicates } from "./find-duplicates.ts";
import type { Finished } from "./finished.ts";
import { InputFile } from "./input-file.ts";
import { PieceReader } from "./piece-reader.ts";
import { runChunks } from "./run-chunks.ts";
import { folderProblem, type RunFolder, takeFolder, writeRunFile } from "./run-folder.ts";
import { type Checkpoint, type RunnerMessage, type RunnerOrder, type RunSpec, runFiles } from "./run-spec.ts";
import { RunTotals } from "./run-totals.ts";
import { findRepeated, type SkippedLines } from "./skip-repeated.ts";
import { RunWriter } from "./run-writer.ts";

export interface RunBatchOptions {
  /** The kind of processor the run names. */
  readonly kind: () => ProcessorKind;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** How the processor's programs are contained. */
  readonly sandbox: "off" | "strict";
  /** Aborted: stop at a checkpoint. */
  readonly signal: AbortSignal;
  readonly tell: (message: RunnerMessage) => void;
}

/** How a run ends. */
export type RunEnd = Exclude<RunnerMessage, { readonly type: "checkpoint" }>;

/** What nobody needs once a run is complete. */
const workFiles = [runFiles.ids, ...earlyFiles];
const workerLog = { maxBytes: 1024 * 1024, keep: 1 };

/** Runs a batch from its start, or from its checkpoint on, and says how it ended. It never throws. */
export async function runBatch(order: RunnerOrder, options: RunBatchOptions): Promise<RunEnd> {
  const { spec } = order;
  let checkpoint: Checkpoint | null = null;
  let folder: RunFolder | null = null;
  try {
    folder = await takeFolder(order);
    if (folder.checkpoint !== null) checkpoint = publicPart(folder.checkpoint);
    if (folder.checkpoint?.is_completed) return await completedBefore(spec, folder.checkpoint);
    return await runLeg(order, folder.checkpoint, options, (saved, inputSize) => {
      checkpoint = publicPart(saved);
      options.tell({ type: "checkpoint", checkpoint, input_size: inputSize });
    });
  } catch (error) {
    if (options.signal.aborted) return { type: "stopped", checkpoint, reason: "cancelled" };
    const told =
      error instanceof SwarmError ? error : new SwarmError("SWARM_INTERNAL", { problem: String(error) });
    const { code, message } = told;
    return { type: "failed", checkpoint, code, message };
  } finally {
    folder?.release();
  }
}

async function runLeg(
  { spec, copies }: RunnerOrder,
  from: SavedCheckpoint | null,
  { clock, env, sandbox, signal, ...options }: RunBatchOptions,
  onCheckpoint: (saved: SavedCheckpoint, inputSize: number | null) => void,
): Promise<RunEnd> {
  const kind = options.kind();
  const ending = new AbortController();
  const end = () => ending.abort();
  // Until chunks are under way; then they are let go first.
  signal.addEventListener("abort", end, { once: true });
  const log = new RotatingFile(join(spec.output, runFiles.workerLog), workerLog);
  const totals = new RunTotals(kind.tally, from?.totals ?? null);
  const input = await InputFile.open(spec.input, spec.is_gzip);
  let writer: RunWriter | null = null;
  let processor: Processor | null = null;
  let reader: PieceReader | null = null;
  try {
    if (from !== null) await input.checkUnchanged(from.input);
    const skipped = spec.dedupe ? await findRepeated(spec, from !== null, signal) : null;
    writer = await RunWriter.open({
      spec,
      clock,
      totals,
      input: input.fingerprint,
      from,
      onCheckpoint: (saved) => onCheckpoint(saved, input.size),
      release: (piece) => reader?.release(piece),
    });
    const early = from?.early ?? null;
    const waiting = early === null ? [] : await readEarly(spec, early, from?.input_bytes ?? 0);
    const { bytes, lines, beyond } = writer.done;
    reader = new PieceReader(input, { bytes, lines }, [...beyond, ...waiting], undefined, skipped?.lines);
    for (const finished of waiting) writer.add(finished);
    signal.throwIfAborted();
    processor = await kind.open(spec.config, {
      run_id: spec.run_id,
      cwd: spec.cwd,
      concurrency: spec.concurrency,
      recordTimeoutMs: spec.record_timeout_s * 1_000,
      idField: spec.id_field,
      env,
      sandbox,
      ...(copies && { copies }),
      signal: ending.signal,
      print: (output) => log.append(output.toString()),
    });
    signal.throwIfAborted();
    signal.removeEventListener("abort", end);
    try {
      const { tally } = kind;
      const failedCount = [from?.failed_count ?? 0, ...waiting.map((one) => one.end.failedCount)].reduce(
        (sum, count) => sum + count,
      );
      const chunks = { spec, reader, processor, tally, writer, failedCount, clock, signal, endWorkers: end };
      await runChunks(chunks);
    } catch (error) {
      // Whatever ended it, what is done stays done; if the disk is the trouble, the checkpoint before has it.
      ending.abort();
      writer.seal();
      await writer.checkpoint().catch(() => undefined);
      throw error;
    }
    await input.checkUnchanged(input.fingerprint);
    return await complete(spec, writer, totals, skipped);
  } finally {
    ending.abort();
    signal.removeEventListener("abort", end);
    await processor?.close();
    await writer?.close();
    await input.close();
  }
}

async function readEarly(spec: RunSpec, early: EarlyPart, nextByte: number): Promise<Finished[]> {
  try {
    return await EarlyFile.read(spec.output, early, nextByte);
  } catch (error) {
    const problem = (error as Error).message;
    throw new SwarmError("SWARM_BATCH_NOTHING_TO_RESUME", { folder: spec.output, problem }, { cause: error });
  }
}

/** Everything is written: what is left is what the run comes to. Each step can be done again by another leg. */
async function complete(
  spec: RunSpec,
  writer: RunWriter,
  totals: RunTotals,
  skipped: SkippedLines | null,
): Promise<RunEnd> {
  await writer.checkpoint();
  try {
    const duplicates =
      skipped === null
        ? await findDuplicates(spec, totals.doneCount + totals.failedCount)
        : { ...skipped.counts, skipped: skipped.counts.records };
    const { leg, started_at, input_lines, input_bytes, duration_ms } = writer.snapshot(true);
    const stats = {
      run_id: spec.run_id,
      name: spec.name,
      processor: spec.processor,
      order: spec.order,
      legs: leg,
      started_at,
      ended_at: new Date().toISOString(),
      duration_ms,
      input: { bytes: input_bytes, lines: input_lines },
      ...totals.summary(duration_ms),
      duplicates,
    };
    await writeRunFile(spec, "stats", `${JSON.stringify(stats, null, 2)}\n`);
    const saved = await writer.checkpoint(true);
    for (const file of workFiles) await rm(join(spec.output, file), { force: true });
    await syncFolder(spec.output);
    return { type: "completed", checkpoint: publicPart(saved), stats };
  } catch (error) {
    throw folderProblem(spec.output, error);
  }
}

/** Nothing is done twice, also when a run that is complete is taken up again. */
async function completedBefore(spec: RunSpec, saved: SavedCheckpoint): Promise<RunEnd> {
  for (const file of workFiles) await rm(join(spec.output, file), { force: true });
  const stats = JSON.parse(await readFile(join(spec.output, runFiles.stats), "utf8")) as JsonObject;
  return { type: "completed", checkpoint: publicPart(saved), stats };
}
