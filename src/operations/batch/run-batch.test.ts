import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { systemClock } from "../../base/clock.ts";
import { readIfThere } from "../../base/private-file.ts";
import { earlyFiles } from "./early-file.ts";
import type { Chunk, ChunkEnd, ProcessorKind } from "./port/processor.ts";
import { recordsOf } from "./port/records.ts";
import { Rows } from "./port/rows.ts";
import { idsOf, records, rowsOf, testRun } from "./harness.cases.ts";
import { type RunEnd, runBatch } from "./run-batch.ts";
import type { RunnerMessage, RunSpec } from "./run-spec.ts";

type Work = (chunk: Chunk) => Promise<void> | void;

/** A processor in this process: `work` is called for each chunk before its records are echoed; `bad` ones fail. */
function kindOf(work: Work): ProcessorKind {
  return {
    doc: "",
    fields: {},
    open: async (_config, { idField }) => ({
      async run(chunk): Promise<ChunkEnd> {
        await work(chunk);
        const rows = new Rows();
        for (const record of recordsOf(chunk, idField)) {
          const isBad = record.problem !== null || record.record?.bad === true;
          if (isBad) rows.failed(record, record.problem?.class ?? "thrown", "told to", 1);
          else rows.done(record, record.source, 1);
        }
        return rows.take();
      },
      close: async () => undefined,
    }),
  };
}

interface Leg {
  readonly isResumed?: boolean;
  readonly work?: Work;
  readonly signal?: AbortSignal;
  readonly tell?: (message: RunnerMessage) => void;
}

function leg(spec: RunSpec, { isResumed = false, work, signal, tell }: Leg = {}): Promise<RunEnd> {
  return runBatch(
    { spec, is_resumed: isResumed, sandbox: "off" },
    {
      kind: () => kindOf(work ?? (() => undefined)),
      clock: systemClock,
      env: {},
      sandbox: "off",
      signal: signal ?? new AbortController().signal,
      tell: tell ?? (() => undefined),
    },
  );
}

test("wherever a run is cut off, whatever its tail, going on has each record once", async (t) => {
  let cuts = 0;
  const line = fc.constantFrom("good", "good", "good", "bad", "blank", "torn");
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        lines: fc.array(line, { minLength: 1, maxLength: 90, size: "max" }),
        chunk_records: fc.integer({ min: 1, max: 4 }),
        order: fc.constantFrom("record", "completion"),
        concurrency: fc.integer({ min: 1, max: 4 }),
        is_gzip: fc.boolean(),
        cutAt: fc.integer({ min: 0, max: 30 }),
        waitsMs: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 5 }),
        tornRows: fc.constantFrom(0, 1, 5_000),
      }),
      async ({ lines, cutAt, waitsMs, tornRows, ...given }) => {
        const input = lines.map((kind, at) => textOf(kind, at)).join("");
        const { spec, folder } = testRun(t, input, { ...given, checkpoint_records: 1, checkpoint_ms: 1 });
        const cut = { ...spec, output: join(folder, "cut") };
        let moments = 0;
        // What a process that is killed now leaves behind: as a chunk begins, or with a checkpoint just made.
        const cutHere = () => void (moments++ === cutAt && copyNow(spec.output, cut.output));
        const work = async ({ firstLine }: Chunk) => {
          await pause(waitsMs[firstLine % 5]);
          cutHere();
        };
        const whole = await leg(spec, { work, tell: cutHere });
        assert.equal(whole.type, "completed", JSON.stringify(whole));
        checkWhole(spec, lines);
        if (moments <= cutAt) return;
        cuts++;
        // Once it is complete nothing writes any more, and nothing can be torn.
        const isOver =
          readIfThere(join(cut.output, "checkpoint.json"))?.includes('"is_completed":true') ?? false;
        for (const file of isOver ? [] : ["results.jsonl", "errors.jsonl", "ids.bin", ...earlyFiles]) {
          appendFileSync(join(cut.output, file), "torn\n".repeat(tornRows));
        }
        const end = await leg(cut, { isResumed: true, work: () => void setImmediate() });
        assert.equal(end.type, "completed", JSON.stringify(end));
        checkWhole(cut, lines);
        rmSync(folder, { recursive: true });
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  assert.ok(cuts > 20, `${cuts} were cut off`);
});

/**
 * The run's threads go on meanwhile. The checkpoint is copied first, which it is by its name: it vouches for what the
 * other files have by then. The next one may have got its name since the folder was read, and is not there by its old.
 */
function copyNow(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from).sort()) {
    try {
      copyFileSync(join(from, name), join(to, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

function textOf(kind: string, at: number): string {
  if (kind === "blank") return "\n";
  if (kind === "torn") return `{"record_id":"r${at}\n`;
  return `{"record_id":"r${at}"${kind === "bad" ? ',"bad":true' : ""}}\n`;
}

/** Every record once, in order where that was asked for, and counted. */
function checkWhole(spec: RunSpec, lines: readonly string[]): void {
  const inOrder = (ids: unknown[]) =>
    spec.order === "record" ? ids : ids.sort((a, b) => lineOf(a) - lineOf(b));
  const expected = (kinds: readonly string[]) =>
    lines.flatMap((kind, at) => (kinds.includes(kind) ? [kind === "torn" ? at + 1 : `r${at}`] : []));
  assert.deepEqual(inOrder(idsOf(spec)), expected(["good"]));
  assert.deepEqual(
    rowsOf<{ line: number }>(spec, "errors.jsonl")
      .map((row) => row.line)
      .sort((a, b) => a - b),
    lines.flatMap((kind, at) => (kind === "bad" || kind === "torn" ? [at + 1] : [])),
  );
  const { counts, duplicates, latency_ms } = JSON.parse(
    readFileSync(join(spec.output, "stats.json"), "utf8"),
  );
  const done = expected(["good"]).length;
  const failed = expected(["bad", "torn"]).length;
  assert.deepEqual(counts, { records: done + failed, done, failed });
  assert.equal(latency_ms.count, done + failed);
  assert.deepEqual(duplicates, { records: 0, ids: 0 });
}

const lineOf = (id: unknown) => (typeof id === "number" ? id : Number(String(id).slice(1)) + 1);

test("results come as they are ready, or in the order of their records", async (t) => {
  for (const order of ["completion", "record"] as const) {
    const { spec } = testRun(t, records(4), { order, chunk_records: 1, concurrency: 2 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first waits for the third.
    const work = ({ firstLine }: Chunk) => (firstLine === 1 ? held : firstLine === 3 ? release() : undefined);
    await leg(spec, { work });
    assert.equal(idsOf(spec).indexOf("r0") > 0, order === "completion");
    assert.deepEqual(idsOf(spec).sort(), ["r0", "r1", "r2", "r3"]);
  }
});

test("no more chunks are under way than workers, and few are ahead of the slowest", async (t) => {
  const { spec } = testRun(t, records(500), { chunk_records: 1, concurrency: 3 });
  let [underWay, most, begun, begunWhenFirstEnded] = [0, 0, 0, 0];
  await leg(spec, {
    work: async ({ firstLine }) => {
      begun++;
      most = Math.max(most, ++underWay);
      // The first of all takes as long as everything that may be ahead of it, and then some.
      for (let hop = 0; hop < (firstLine === 1 ? 1_000 : 1); hop++) await setImmediate();
      if (firstLine === 1) begunWhenFirstEnded = begun;
      underWay--;
    },
  });
  assert.equal(most, 3);
  assert.ok(begunWhenFirstEnded <= 48, `${begunWhenFirstEnded} were begun`);
  assert.equal(idsOf(spec).length, 500);
});

test("more failed records than max_errors end the run, and what was done stays", async (t) => {
  const lines = Array.from({ length: 100 }, (_, at) => textOf(at % 10 === 9 ? "bad" : "good", at)).join("");
  const { spec } = testRun(t, lines, { max_errors: 3, chunk_records: 1, concurrency: 1 });
  const end = await leg(spec);
  assert.equal(end.type === "failed" && end.code, "SWARM_BATCH_TOO_MANY_ERRORS");
  assert.equal(end.checkpoint?.failed_count, 4);
  assert.equal(idsOf(spec).length, end.checkpoint?.done_count);
  const resumed = await leg({ ...spec, max_errors: 10 }, { isResumed: true });
  assert.equal(resumed.type, "completed");
  assert.deepEqual([idsOf(spec).length, rowsOf(spec, "errors.jsonl").length], [90, 10]);
  const exact = testRun(t, lines, { max_errors: 10 });
  assert.equal((await leg(exact.spec)).type, "completed");
});

test("an input that changed since the checkpoint is refused, and one that changes during the run too", async (t) => {
  const { spec } = testRun(t, records(50), { chunk_records: 1 });
  const stopping = new AbortController();
  const stopped = await leg(spec, {
    work: ({ firstLine }) => void (firstLine === 20 && stopping.abort()),
    signal: stopping.signal,
  });
  assert.equal(stopped.type, "stopped");
  utimesSync(spec.input, 1, 1);
  const touched = await leg(spec, { isResumed: true });
  assert.match(
    touched.type === "failed" ? touched.message : "",
    /the time it was written.*submit it as a new run/,
  );
  const other = testRun(t, records(50), { chunk_records: 1 });
  const changed = await leg(other.spec, {
    work: ({ firstLine }) => void (firstLine === 20 && appendFileSync(other.spec.input, records(1, 99))),
  });
  assert.equal(changed.type === "failed" && changed.code, "SWARM_BATCH_INPUT_CHANGED");
});

test("a run that was ended before its first checkpoint starts from the beginning", async (t) => {
  const { spec } = testRun(t, records(10));
  const stopped = await leg(spec, { signal: AbortSignal.abort() });
  assert.deepEqual(stopped, { type: "stopped", checkpoint: null, reason: "cancelled" });
  writeFileSync(join(spec.output, "results.jsonl"), "torn");
  assert.equal((await leg(spec, { isResumed: true })).type, "completed");
  assert.equal(idsOf(spec).length, 10);
});

test("a run that was ended before it wrote anything is begun, but never over somebody else's files", async (t) => {
  const { spec } = testRun(t, records(10));
  assert.equal((await leg(spec, { isResumed: true })).type, "completed");
  const other = testRun(t, records(10));
  mkdirSync(other.spec.output);
  writeFileSync(join(other.spec.output, "results.jsonl"), "precious");
  const end = await leg(other.spec, { isResumed: true });
  assert.equal(end.type === "failed" && end.code, "SWARM_BATCH_FOLDER_TAKEN");
  assert.equal(readFileSync(join(other.spec.output, "results.jsonl"), "utf8"), "precious");
});

test("a checkpoint that cannot be one, or vouches for more than is there, is refused", async (t) => {
  const { spec } = testRun(t, records(50), { chunk_records: 1 });
  const stopping = new AbortController();
  await leg(spec, {
    work: ({ firstLine }) => void (firstLine === 40 && stopping.abort()),
    signal: stopping.signal,
  });
  const file = join(spec.output, "checkpoint.json");
  const text = readFileSync(file, "utf8");
  const codeAfter = async (changed: string) => {
    writeFileSync(file, changed);
    const end = await leg(spec, { isResumed: true });
    return end.type === "failed" ? `${end.code} ${end.message}` : end.type;
  };
  assert.match(await codeAfter("{"), /SWARM_BATCH_NOTHING_TO_RESUME.*not JSON/);
  assert.match(await codeAfter('{"format":2}'), /SWARM_BATCH_NOTHING_TO_RESUME.*format 1/);
  assert.match(await codeAfter(text.replace("run_1", "run_2")), /is of run run_2/);
  assert.match(
    await codeAfter(text.replace(/"results_bytes":\d+/, '"results_bytes":-1')),
    /lacks results_bytes/,
  );
  assert.match(
    await codeAfter(text.replace(/"results_bytes":\d+/, '"results_bytes":99999')),
    /expected at least 99999/,
  );
  assert.equal(await codeAfter(text), "completed");
  const other = await leg({ ...spec, run_id: "run_2" }, { isResumed: true });
  assert.match(other.type === "failed" ? other.message : "", /spec.json is of run run_1/);
});

test("two runners never write one folder", async (t) => {
  const { spec } = testRun(t, records(3), { chunk_records: 1, concurrency: 1 });
  let second: Promise<RunEnd> | null = null;
  await leg(spec, {
    work: async () => {
      second ??= leg(spec, { isResumed: true });
      await second;
    },
  });
  const end = await (second as unknown as Promise<RunEnd>);
  assert.equal(end.type === "failed" && end.code, "SWARM_BATCH_FOLDER_BUSY");
  assert.equal(idsOf(spec).length, 3);
});

test("a few slow records are not left without a checkpoint", async (t) => {
  const { spec } = testRun(t, records(3), {
    chunk_records: 1,
    concurrency: 1,
    checkpoint_records: 10,
    checkpoint_ms: 5,
  });
  let told: () => void = () => undefined;
  const saved = new Promise<void>((resolve) => {
    told = resolve;
  });
  // The second record waits for the checkpoint of the first.
  await leg(spec, { work: ({ firstLine }) => (firstLine === 2 ? saved : undefined), tell: () => told() });
  assert.equal(idsOf(spec).length, 3);
});

test("what comes back after the last checkpoint of a run that stops is not written, and all that came before is kept", async (t) => {
  const { spec } = testRun(t, records(100), { chunk_records: 1, concurrency: 2 });
  const stopping = new AbortController();
  const { promise: over, resolve: release } = Promise.withResolvers<void>();
  // The first is held until the run is over; all others wait behind it for their turn to be written.
  const done = new Set<number>();
  const work = async ({ firstLine }: Chunk) => {
    if (firstLine === 10) stopping.abort();
    if (firstLine === 1) await over;
    done.add(firstLine);
  };
  const end = await leg(spec, { work, signal: stopping.signal });
  const doneBefore = [...done];
  release();
  await setImmediate();
  assert.deepEqual([end.type, end.checkpoint?.done_count, idsOf(spec)], ["stopped", 0, []]);
  assert.ok(doneBefore.length >= 9, `${doneBefore.length} done`);
  const again: number[] = [];
  const resumed = await leg(spec, { isResumed: true, work: ({ firstLine }) => void again.push(firstLine) });
  assert.equal(resumed.type, "completed");
  assert.deepEqual(
    again.filter((line) => doneBefore.includes(line)),
    [],
  );
  assert.deepEqual(
    idsOf(spec),
    Array.from({ length: 100 }, (_, at) => `r${at}`),
  );
  assert.deepEqual(
    readdirSync(spec.output).filter((file) => file.endsWith(".bin")),
    [],
  );
});

test("with dedupe a record whose id an earlier one has is left out, also after the run was cut off", async (t) => {
  const ids = ["a", "b", "a", 5, "c", "b", "a", "d", 5, "e"];
  // The last has no id and is known by its line, 11; a record with that number is another.
  const lines = [...ids.map((record_id) => ({ record_id })), { n: 1 }, { record_id: 11 }, { record_id: 11 }];
  const text = lines.map((record) => `${JSON.stringify(record)}\n`).join("");
  const { spec } = testRun(t, text, { dedupe: true, chunk_records: 2, concurrency: 2, checkpoint_ms: 10 });
  const stopping = new AbortController();
  const seen: string[] = [];
  const work = ({ lines: sent, firstLine }: Chunk) => {
    seen.push(
      ...String(sent)
        .split("\n")
        .filter((line) => line.trim() !== ""),
    );
    if (firstLine === 5) stopping.abort();
  };
  assert.equal((await leg(spec, { work, signal: stopping.signal })).type, "stopped");
  const end = await leg(spec, { isResumed: true, work });
  assert.equal(end.type, "completed");
  assert.deepEqual(idsOf(spec), ["a", "b", 5, "c", "d", "e", 11, 11]);
  assert.equal(seen.length, 8, "no other record was given to the processor, and none twice");
  assert.deepEqual(
    rowsOf(spec, "duplicates.jsonl").map(({ line, first_line }) => [line, first_line]),
    [
      [3, 1],
      [6, 2],
      [7, 1],
      [9, 4],
      [13, 12],
    ],
  );
  const { duplicates, counts } = JSON.parse(readFileSync(join(spec.output, "stats.json"), "utf8"));
  assert.deepEqual(
    [duplicates, counts],
    [
      { records: 5, ids: 4, skipped: 5 },
      { records: 8, done: 8, failed: 0 },
    ],
  );
});

test("a record that is under way when the run is stopped, and ends soon, is kept", async (t) => {
  const { spec } = testRun(t, records(10), { chunk_records: 1, concurrency: 1 });
  const stopping = new AbortController();
  const work = async ({ firstLine }: Chunk) => {
    if (firstLine !== 3) return;
    stopping.abort();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
  };
  const end = await leg(spec, { work, signal: stopping.signal });
  assert.deepEqual([end.type, end.checkpoint?.done_count, idsOf(spec)], ["stopped", 3, ["r0", "r1", "r2"]]);
});
