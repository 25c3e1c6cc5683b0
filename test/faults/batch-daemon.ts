import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { gone, Place, type Up } from "../e2e/harness.ts";
import { randomFrom } from "./random.ts";

export interface BatchKillReport {
  readonly kills: number;
  readonly runs: number;
  readonly records: number;
  /** Of all runs together: more than runs, or no kill came between. */
  readonly legs: number;
}

interface Status {
  readonly state: string;
  readonly leg: number;
  readonly done_count: number;
  readonly output: string;
}

interface Stored {
  readonly runner: { readonly pid: number } | null;
}

/** Small chunks and frequent checkpoints, so that a run takes long enough to be killed often. */
const slow = "processor=echo&concurrency=2&chunk_records=20&checkpoint_records=10&checkpoint_ms=10";

/**
 * Kills the daemon while it follows runs, at moments the seed decides; after each kill the next daemon finds the run
 * interrupted, and takes it up. In the end every record of every run is there once, whole and in its place.
 */
export async function killBatchDaemons(
  kills: number,
  seed: number,
  records = 100_000,
): Promise<BatchKillReport> {
  const owed: (() => Promise<void>)[] = [];
  const place = new Place({ after: (work) => void owed.push(work) });
  const random = randomFrom(seed);
  const input = join(place.project, "records.jsonl");
  writeRecords(input, records);
  try {
    let up = await place.up();
    let [killed, runs, legs] = [0, 0, 0];
    while (killed < kills) {
      const run = `r${runs++}`;
      const path = `/api/v1/batch/${run}`;
      const order = runs % 2 === 0 ? "completion" : "record";
      await called(place, up, "POST", `${path}?${slow}&order=${order}&input=${encodeURIComponent(input)}`);
      for (;;) {
        const before = await statusOf(place, up, run);
        if (before.state === "completed") break;
        if (killed < kills) {
          const until = before.done_count + Math.floor(random() * 5_000);
          if ((await reached(place, up, run, until)).state === "completed") break;
          up = await killedAndBack(place, up, run);
          killed++;
          const found = await statusOf(place, up, run);
          assert.equal(found.state, "interrupted", "the next daemon knows that the last is gone");
          await called(place, up, "POST", `${path}/resume`);
        } else await reached(place, up, run, Number.POSITIVE_INFINITY);
      }
      const { leg, done_count, output } = await statusOf(place, up, run);
      legs += leg;
      assert.equal(done_count, records);
      assertOnceEach(readFileSync(join(output, "results.jsonl"), "utf8"), records, order);
    }
    const { body } = await place.call(up.port, "GET", "/api/v1/audit/verify");
    assert.deepEqual([body.is_intact, body.faults, body.open_intents], [true, [], []]);
    return { kills: killed, runs, records, legs };
  } finally {
    for (const work of owed) await work();
  }
}

/** Has the daemon die, its runner leave, and another daemon come. */
async function killedAndBack(place: Place, up: Up, run: string): Promise<Up> {
  const runner = runnerOf(place, run);
  up.child.kill("SIGKILL");
  await up.ended;
  const next = await place.up();
  // The next one may be faster than the runner, which makes its last checkpoint first.
  if (runner !== null) await gone(runner);
  for (let looks = 0; looks < 400; looks++) {
    if ((await statusOf(place, next, run)).state !== "running") break;
    await pause(10);
  }
  return next;
}

function runnerOf(place: Place, run: string): number | null {
  const database = new DatabaseSync(join(place.home, "swarm.db"), { readOnly: true });
  try {
    const row = database.prepare("select runner from batch_runs where run_id = ?").get(run);
    return row?.runner == null ? null : ((JSON.parse(String(row.runner)) as Stored["runner"])?.pid ?? null);
  } finally {
    database.close();
  }
}

/** Resolves when the run has come so far, or is over. */
async function reached(place: Place, up: Up, run: string, count: number): Promise<Status> {
  for (;;) {
    const status = await statusOf(place, up, run);
    if (status.state !== "running" || status.done_count >= count) return status;
    await pause(2);
  }
}

async function statusOf(place: Place, up: Up, run: string): Promise<Status> {
  return (await called(place, up, "GET", `/api/v1/batch/${run}/status`)) as unknown as Status;
}

async function called(place: Place, { port }: Up, method: string, path: string) {
  const { status, body } = await place.call(port, method, path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function writeRecords(file: string, count: number): void {
  const handle = openSync(file, "w");
  for (let from = 0; from < count; from += 10_000) {
    const size = Math.min(10_000, count - from);
    const lines = Array.from({ length: size }, (_, at) => `{"record_id":"r${from + at}","value":"ä${at}"}\n`);
    writeSync(handle, lines.join(""));
  }
  closeSync(handle);
}

/** None lost, none twice, none torn, and where the order is kept each in its place. */
function assertOnceEach(text: string, count: number, order: "record" | "completion"): void {
  assert.ok(text.endsWith("\n"), "the last row is torn");
  const rows = text.slice(0, -1).split("\n");
  assert.equal(rows.length, count);
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const { record_id, output } = JSON.parse(row) as { record_id: string; output: { record_id: string } };
    assert.equal(output.record_id, record_id);
    if (order === "record") assert.equal(record_id, `r${at}`);
    seen.add(record_id);
  }
  assert.equal(seen.size, count);
}
