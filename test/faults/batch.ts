import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunEnd } from "../../src/operations/batch/run-batch.ts";
import { type Checkpoint, type RunSpec, runFiles } from "../../src/operations/batch/run-spec.ts";
import { startBatch } from "../../src/operations/batch/start-batch.ts";
import { randomFrom } from "./random.ts";

export interface BatchKillReport {
  readonly kills: number;
  /** Runs that came to their end. */
  readonly runs: number;
  readonly records: number;
  /** Records that were done again because a kill came before their checkpoint. */
  readonly cutOff: number;
}

export interface BatchKillOptions {
  /** Whom: the process of the run, or a process that works for it. */
  readonly whom: "runner" | "worker";
  readonly kills: number;
  readonly seed: number;
}

const recordsPerRun = { runner: 20_000, worker: 3_000 };
/** The slowest of what is killed takes 20 ms a chunk: kills meet every stage of it. */
const score = `export const score = async (record) => { await new Promise((resolve) => setTimeout(resolve, 1)); return record; };`;

/**
 * Kills at moments the seed decides, resumes, and looks at what is there in the end: every record once, whole, in order
 * where that was asked for. Every other run writes results as they come.
 */
export async function killBatches({ whom, kills, seed }: BatchKillOptions): Promise<BatchKillReport> {
  const random = randomFrom(seed);
  const report = { kills: 0, runs: 0, records: 0, cutOff: 0 };
  while (report.kills < kills) {
    const folder = mkdtempSync(join(tmpdir(), "swarm-batch-kill-"));
    try {
      const spec = specOf(folder, whom, report.runs % 2 === 0 ? "record" : "completion");
      writeFileSync(spec.input, inputOf(recordsPerRun[whom]));
      writeFileSync(join(folder, "score.mjs"), score);
      for (let isResumed = false; ; isResumed = true) {
        const isSpared = report.kills >= kills;
        const end = await leg(spec, isResumed, isSpared ? null : random, whom, () => report.kills++);
        if (end.type === "completed") break;
        assert.equal(end.type === "failed" && end.code, "SWARM_BATCH_RUNNER_LOST", JSON.stringify(end));
        report.cutOff += inspectCut(spec);
      }
      inspectWhole(spec, recordsPerRun[whom]);
      report.runs++;
      report.records += recordsPerRun[whom];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return report;
}

/** Runs until the disk is full, makes room, and goes on; tells how many records were done before. */
export async function fillDiskByBatch(
  disk: string,
): Promise<{ readonly before: number; readonly all: number }> {
  const all = 2_000; // 1.4 MB of results on a disk of 2, from workers: echo would fill it before its first checkpoint
  const folder = mkdtempSync(join(tmpdir(), "swarm-batch-full-"));
  const ballast = join(disk, "ballast");
  try {
    const spec = { ...specOf(folder, "worker", "record"), output: join(disk, "out") };
    writeFileSync(spec.input, inputOf(all));
    writeFileSync(join(folder, "score.mjs"), score);
    writeFileSync(ballast, Buffer.alloc(1_300_000));
    const full = await leg(spec, false, null, "runner", () => undefined);
    assert.equal(full.type === "failed" && full.code, "SWARM_BATCH_DISK_FULL", JSON.stringify(full));
    inspectCut(spec);
    const still = await leg(spec, true, null, "runner", () => undefined);
    assert.equal(
      still.type === "failed" && still.code,
      "SWARM_BATCH_DISK_FULL",
      "it stays full, and says so again",
    );
    const before = still.checkpoint?.done_count ?? 0;
    rmSync(ballast);
    const end = await leg(spec, true, null, "runner", () => undefined);
    assert.equal(end.type, "completed", JSON.stringify(end));
    inspectWhole(spec, all);
    return { before, all };
  } finally {
    rmSync(ballast, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

function specOf(folder: string, whom: BatchKillOptions["whom"], order: RunSpec["order"]): RunSpec {
  return {
    run_id: "killed",
    name: null,
    input: join(folder, "in.jsonl"),
    is_gzip: false,
    output: join(folder, "out"),
    processor: whom === "runner" ? "echo" : "custom",
    config: whom === "runner" ? {} : { function: "./score.mjs:score" },
    order,
    concurrency: 3,
    id_field: "record_id",
    dedupe: false,
    max_errors: null,
    record_timeout_s: 600,
    checkpoint_records: 10,
    checkpoint_ms: 5,
    chunk_records: 17,
    cwd: folder,
  };
}

/** Every tenth line is no record: both files grow. */
function inputOf(count: number): string {
  const pad = "x".repeat(600);
  return Array.from({ length: count }, (_, at) =>
    at % 10 === 9 ? `{"record_id":"r${at}\n` : `{"record_id":"r${at}","n":${at},"pad":"${pad}"}\n`,
  ).join("");
}

async function leg(
  spec: RunSpec,
  isResumed: boolean,
  random: (() => number) | null,
  whom: BatchKillOptions["whom"],
  onKill: () => void,
): Promise<RunEnd> {
  // Some die before their first checkpoint, some while they open what is there.
  const checkpoints = random === null ? Number.POSITIVE_INFINITY : Math.floor(random() * 8);
  let isOver = false;
  let seen = 0;
  let isTime: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    isTime = resolve;
  });
  const running = startBatch(
    { spec, is_resumed: isResumed, sandbox: "off" },
    {
      env: process.env,
      onMessage: () => {
        if (++seen >= checkpoints) isTime();
      },
    },
  );
  const ended = running.ended.finally(() => {
    isOver = true;
    isTime();
  });
  if (random === null) return ended;
  if (checkpoints === 0) isTime();
  await enough;
  await pause(random() * (checkpoints === 0 ? 400 : 30));
  if (whom === "runner") {
    if (!isOver && kill(running.pid)) onKill();
    return ended;
  }
  // A worker that is killed before it has ever answered is one that does not start: something must be done in between.
  for (let seenAtKill = 0; !isOver; await pause(random() * 100)) {
    const workers = childrenOf(running.pid ?? 0);
    if (seen === seenAtKill || !kill(workers[Math.floor(random() * workers.length)])) continue;
    seenAtKill = seen;
    onKill();
  }
  return ended;
}

function kill(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, "SIGKILL");
  } catch {
    return false; // gone before
  }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

/** What the checkpoint vouches for is there, in whole rows, as many as it says; tells how many rows are beyond. */
function inspectCut({ output }: RunSpec): number {
  const checkpoint = readIfThere<Checkpoint>(join(output, runFiles.checkpoint));
  if (checkpoint === null) return 0;
  const { results_bytes, errors_bytes, done_count, failed_count } = checkpoint;
  const results = readFileSync(join(output, runFiles.results));
  const errors = readFileSync(join(output, runFiles.errors));
  assert.equal(rowsIn(results.subarray(0, results_bytes)).length, done_count);
  assert.equal(rowsIn(errors.subarray(0, errors_bytes)).length, failed_count);
  return String(results.subarray(results_bytes)).split("\n").length - 1;
}

function inspectWhole(spec: RunSpec, count: number): void {
  const read = (file: string) => rowsIn(readFileSync(join(spec.output, file)));
  const results = read(runFiles.results);
  const errors = read(runFiles.errors);
  const lines = [
    ...results.map(({ record_id }) => Number(String(record_id).slice(1)) + 1),
    ...errors.map(({ line }) => Number(line)),
  ];
  assert.equal(new Set(lines).size, lines.length, "a record is there twice");
  assert.equal(lines.length, count, "a record is lost");
  if (spec.order === "record") {
    for (const rows of [lines.slice(0, results.length), lines.slice(results.length)]) {
      assert.ok(
        rows.every((line, at) => at === 0 || line > (rows[at - 1] ?? 0)),
        "records are out of order",
      );
    }
  }
  const stats = readIfThere<{ counts: Record<string, number> }>(join(spec.output, runFiles.stats));
  const counts = { records: count, done: results.length, failed: errors.length };
  assert.deepEqual(stats?.counts, counts, "the stats are of another run than the files");
}

/** Throws where a row is torn. */
function rowsIn(bytes: Buffer): Record<string, unknown>[] {
  const lines = String(bytes).split("\n");
  assert.equal(lines.pop(), "", "the last row is torn");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function readIfThere<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
