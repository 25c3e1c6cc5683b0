import assert from "node:assert/strict";
import { test } from "node:test";
import { SwarmError } from "../../base/errors.ts";
import { chunkOf, rowsOf } from "./port/processor.cases.ts";
import type { Chunk, ChunkEnd, Processor } from "./port/processor.ts";
import { recordsOf } from "./port/records.ts";
import { Rows } from "./port/rows.ts";
import { runIsolated } from "./isolate.ts";

const lost = () => new SwarmError("SWARM_BATCH_WORKER_LOST", { how: "was ended by SIGSEGV" });

/** Does records, but for those that say "poison", and keeps what it was given. */
class Poisoned implements Processor {
  readonly given: string[] = [];
  lostCount = 0;

  async run(chunk: Chunk): Promise<ChunkEnd> {
    const rows = new Rows();
    const records = [...recordsOf(chunk, "record_id")];
    this.given.push(records.map(({ idText }) => JSON.parse(idText)).join(""));
    if (records.some(({ record }) => record?.poison === true)) {
      this.lostCount++;
      throw lost();
    }
    for (const item of records) {
      if (item.problem === null) rows.done(item, "1", 1);
      else rows.failed(item, item.problem.class, item.problem.message);
    }
    return { ...rows.take(), tally: { seen: records.length } };
  }

  async close(): Promise<void> {
    // Nothing was started.
  }
}

const line = (id: string, poison = false) => JSON.stringify({ record_id: id, poison });
const options = {
  idField: "record_id",
  tally: {
    merge: (sum: { seen?: unknown } | null, { seen }: { seen?: unknown }) => ({
      seen: Number(sum?.seen ?? 0) + Number(seen),
    }),
    summary: (sum: Record<string, unknown>) => sum,
  },
};

test("one record that ends workers fails alone, and the others are done once, in their order", async () => {
  const processor = new Poisoned();
  const lines = [..."abcdefgh"].map((id) => line(id, id === "f"));
  const end = await runIsolated(processor, chunkOf(lines, 11), options);
  const { results, errors } = rowsOf(end);
  assert.deepEqual(
    results.map(({ record_id }) => record_id),
    [..."abcdegh"],
  );
  assert.deepEqual(errors, [
    {
      record_id: "f",
      line: 16,
      error: { class: "crash", message: "the worker was ended by SIGSEGV, expected it to stay" },
    },
  ]);
  assert.deepEqual([end.errorClasses, end.tally, end.idHashes.length], [{ crash: 1 }, { seen: 7 }, 16]);
  // The whole twice, halves once, and the one that is left twice: it may have been somebody else's fault.
  assert.deepEqual(processor.given, ["abcdefgh", "abcdefgh", "abcd", "efgh", "ef", "e", "f", "f", "gh"]);
});

test("records on end, blank lines and what is no record are told apart", async () => {
  const processor = new Poisoned();
  const lines = [line("a", true), "", "{", line("d", true), line("e", true), " ", line("g")];
  const end = await runIsolated(processor, chunkOf(lines), options);
  assert.deepEqual(end.errorClasses, { crash: 3, invalid_json: 1 });
  assert.deepEqual(
    rowsOf(end).errors.map(({ line: at }) => at),
    [1, 3, 4, 5],
  );
});

test("a chunk that loses its worker once is done the second time", async () => {
  const processor = new Poisoned();
  const run = processor.run.bind(processor);
  let isFirst = true;
  processor.run = async (chunk) => {
    if (isFirst) {
      isFirst = false;
      throw lost();
    }
    return run(chunk);
  };
  const end = await runIsolated(processor, chunkOf([line("a"), line("b")]), options);
  assert.deepEqual([end.doneCount, processor.given], [2, ["ab"]]);
});

test("a poison record in a thousand costs fifteen workers", async () => {
  const processor = new Poisoned();
  const lines = Array.from({ length: 1_024 }, (_, at) => line(`r${at}`, at === 0));
  const end = await runIsolated(processor, chunkOf(lines), options);
  assert.deepEqual([end.doneCount, end.failedCount, processor.lostCount], [1_023, 1, 13]);
});

test("any other failure is the run's", async () => {
  const failing = { run: () => Promise.reject(new Error("no")), close: async () => undefined };
  await assert.rejects(runIsolated(failing, chunkOf([line("a")]), options), { message: "no" });
});
