import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { fits, type JsonObject } from "../../../engine/events/schema.ts";
import { hashIdText } from "./batch-rows.ts";
import type { Chunk, ChunkEnd, Processor, ProcessorCall, ProcessorKind } from "./processor.ts";

export interface ProcessorCase {
  readonly name: string;
  /** Why it cannot be tried here, or false. */
  readonly skip?: string | false;
  readonly kind: (t: TestContext) => ProcessorKind;
  /** A folder with whatever the configurations name. */
  readonly folder: (t: TestContext) => string;
  /** Answers a record with `{"n": record.n}`, or with the record. */
  readonly works: JsonObject;
  /** The name of n in an output, where it is another. */
  readonly answer?: string;
  /** What a call needs besides. */
  readonly call?: (t: TestContext) => Partial<ProcessorCall>;
  /**
   * The same, but for records with a field `do`: "throw" fails, "crash" ends the worker, "stay" never answers, "print"
   * prints `hello` before. Null: nothing a record holds can do any of that.
   */
  readonly obeys: JsonObject | null;
  /** What must not be accepted, with the option that is wrong. */
  readonly refused: readonly (readonly [config: JsonObject, option: string])[];
  /** What is accepted and cannot be opened, with the code it fails by. */
  readonly unusable: readonly (readonly [config: JsonObject, code: string])[];
}

/** A chunk of lines. */
export function chunkOf(lines: readonly string[], firstLine = 1): Chunk {
  return {
    firstLine,
    lineCount: lines.length,
    lines: Buffer.from(lines.map((line) => `${line}\n`).join("")),
  };
}

/** A call as the runner makes it, and what was printed. */
export function processorCall(cwd: string, changes: Partial<ProcessorCall> = {}) {
  let printed = "";
  const call: ProcessorCall = {
    run_id: "br_1",
    cwd,
    concurrency: 1,
    recordTimeoutMs: 600_000,
    idField: "record_id",
    env: process.env,
    sandbox: "off",
    signal: new AbortController().signal,
    print: (output) => {
      printed += output.toString();
    },
    ...changes,
  };
  return { call, printed: () => printed };
}

/** The rows of what became of a chunk. */
export function rowsOf({ results, errors }: ChunkEnd) {
  const read = (rows: Buffer) =>
    String(rows)
      .split("\n")
      .slice(0, -1)
      .map((row) => JSON.parse(row) as Record<string, unknown>);
  return { results: read(results), errors: read(errors) };
}

const record = (at: number, fields: JsonObject = {}) =>
  JSON.stringify({ record_id: `r${at}`, n: at, ...fields });
const idsOf = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row.record_id);

/** What every kind of processor runs in full. */
export function processorCases(given: ProcessorCase): void {
  const { name, kind, folder, works, obeys, refused, unusable, answer = "n", skip = false } = given;
  const open = async (t: TestContext, config: JsonObject, changes: Partial<ProcessorCall> = {}) => {
    const { call, printed } = processorCall(folder(t), { ...given.call?.(t), ...changes });
    const processor = await kind(t).open(Object.freeze(structuredClone(config)), call);
    t.after(() => processor.close());
    return { processor, printed };
  };
  const run = async (processor: Processor, lines: readonly string[], firstLine = 1) => {
    const end = await processor.run(chunkOf(lines, firstLine));
    consistent(end);
    return { ...rowsOf(end), end };
  };

  suite(`processor ${name}`, { skip }, () => {
    test("says what it is and what each field is for", (t) => {
      const { doc, fields } = kind(t);
      assert.match(doc, /^[A-Z].*\.$/);
      for (const [field, { doc: about }] of Object.entries(fields)) assert.match(about, /^[A-Z].*\.$/, field);
    });

    test("takes a good configuration", (t) => {
      const { fields, check } = kind(t);
      for (const config of [works, obeys ?? {}]) {
        for (const [key, value] of Object.entries(config)) {
          assert.ok(fields[key] !== undefined && fits(fields[key], value), key);
        }
        if (config === works || obeys !== null) assert.equal(check?.(config) ?? null, null);
      }
    });

    test("refuses a bad configuration, and names the option", (t) => {
      const { check } = kind(t);
      for (const [config, option] of refused) {
        const problem = check?.(config) ?? assert.fail(`${JSON.stringify(config)} was accepted`);
        assert.equal(problem.option, option, JSON.stringify(config));
        assert.notEqual(problem.expected, "");
      }
    });

    for (const [config, code] of unusable) {
      test(`does not open with ${JSON.stringify(config)}`, async (t) => {
        await assert.rejects(open(t, config), { code });
      });
    }

    test("does every record, in their order, chunk after chunk", async (t) => {
      const { processor } = await open(t, works);
      for (const firstLine of [1, 101]) {
        const lines = Array.from({ length: 100 }, (_, at) => record(firstLine + at));
        const { results, errors } = await run(processor, lines, firstLine);
        assert.deepEqual(errors, []);
        assert.deepEqual(
          idsOf(results),
          lines.map((_, at) => `r${firstLine + at}`),
        );
        for (const [at, { output }] of results.entries()) {
          assert.equal((output as Record<string, unknown>)[answer], firstLine + at);
        }
      }
    });

    test("rows, hashes and latencies are of the records; blank lines are none", async (t) => {
      const { processor } = await open(t, works);
      const lines = [
        record(1),
        "",
        " \r",
        "{",
        "[]",
        '{"n":1}',
        '{"record_id":12345678901234567890}',
        "null",
      ];
      const { end, results, errors } = await run(
        processor,
        [...lines, '{"record_id":"日本 \\u0007","n":2}'],
        11,
      );
      assert.deepEqual(end.errorClasses, { invalid_json: 1, not_an_object: 2 });
      assert.deepEqual(idsOf(errors), [14, 15, 18]);
      assert.deepEqual(
        errors.map(({ line }) => line),
        [14, 15, 18],
      );
      assert.deepEqual(idsOf(results), ["r1", 16, Number("12345678901234567890"), "日本 \u0007"]);
      assert.match(String(end.results), /"record_id":12345678901234567890,/);
      const ids = ['"r1"', "14", "15", "16", "12345678901234567890", "18", '"日本 \\u0007"'];
      const hashes = new Uint32Array(2 * ids.length);
      for (const [at, idText] of ids.entries()) hashIdText(idText, hashes, 2 * at);
      assert.deepEqual(end.idHashes, hashes);
    });

    test("a chunk without a record, and a last line without its newline", async (t) => {
      const { processor } = await open(t, works);
      const { end } = await run(processor, ["", " "]);
      assert.deepEqual([end.doneCount, end.failedCount], [0, 0]);
      const last = await processor.run({ firstLine: 3, lineCount: 1, lines: Buffer.from(record(3)) });
      assert.deepEqual(idsOf(rowsOf(last).results), ["r3"]);
    });

    test("bytes that are no UTF-8 fail their record alone", async (t) => {
      const { processor } = await open(t, works);
      const bad = Buffer.concat([Buffer.from('{"n":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
      const lines = Buffer.concat([
        Buffer.from(`${record(1)}\n`),
        bad,
        Buffer.from(`${record(3, { s: "ä" })}\n`),
      ]);
      const end = await processor.run({ firstLine: 1, lineCount: 3, lines });
      assert.deepEqual(idsOf(rowsOf(end).results), ["r1", "r3"]);
      assert.deepEqual(end.errorClasses, { invalid_json: 1 });
    });

    test("as many chunks at once as it has workers, and each gets its own answers", async (t) => {
      const { processor } = await open(t, works, { concurrency: 3 });
      const starts = [1, 1_001, 2_001];
      const ends = await Promise.all(
        starts.map((first) =>
          run(
            processor,
            Array.from({ length: 1_000 }, (_, at) => record(first + at)),
            first,
          ),
        ),
      );
      for (const [at, { results }] of ends.entries()) assert.equal(results[0]?.record_id, `r${starts[at]}`);
    });

    test("ids are read from the field that is named", async (t) => {
      const { processor } = await open(t, works, { idField: "key" });
      const { results } = await run(processor, ['{"key":"k1","record_id":"no","n":1}', '{"n":2}'], 5);
      assert.deepEqual(idsOf(results), ["k1", 6]);
    });

    test("a large record goes through whole", async (t) => {
      const { processor } = await open(t, works);
      const { results, errors } = await run(processor, [
        record(1, { pad: "é".repeat(2_000_000) }),
        record(2),
      ]);
      assert.deepEqual([idsOf(results), errors], [["r1", "r2"], []]);
    });

    test("nothing is done any more once it is aborted, before it is open or after", async (t) => {
      const abort = new AbortController();
      const { processor } = await open(t, works, { signal: abort.signal });
      abort.abort(new Error("enough"));
      await assert.rejects(processor.run(chunkOf([record(1)])));
      await assert.rejects(async () => {
        const again = await open(t, works, { signal: abort.signal });
        await again.processor.run(chunkOf([record(1)]));
      });
    });

    test("it can be closed twice", async (t) => {
      const { processor } = await open(t, works);
      await processor.close();
      await processor.close();
    });

    if (obeys !== null) obedience(obeys, open, run);
  });
}

type Open = (
  t: TestContext,
  config: JsonObject,
  changes?: Partial<ProcessorCall>,
) => Promise<{ processor: Processor; printed: () => string }>;
type Run = (
  processor: Processor,
  lines: readonly string[],
  firstLine?: number,
) => Promise<ReturnType<typeof rowsOf> & { end: ChunkEnd }>;

/** For kinds whose work may fail by the record. */
function obedience(obeys: JsonObject, open: Open, run: Run): void {
  test("a record that fails is a row with the reason, and the others are done", async (t) => {
    const { processor } = await open(t, obeys);
    const { results, errors, end } = await run(
      processor,
      [record(1), record(2, { do: "throw" }), record(3)],
      7,
    );
    assert.deepEqual(idsOf(results), ["r1", "r3"]);
    assert.deepEqual([errors[0]?.record_id, errors[0]?.line, errors.length], ["r2", 8, 1]);
    assert.deepEqual(Object.values(end.errorClasses), [1]);
    assert.notDeepEqual(errors[0]?.error, { class: Object.keys(end.errorClasses)[0], message: "" });
  });

  test("a worker that ends loses its chunk, says how, and another is there", async (t) => {
    const { processor } = await open(t, obeys);
    await assert.rejects(processor.run(chunkOf([record(1), record(2, { do: "crash" }), record(3)])), {
      code: "SWARM_BATCH_WORKER_LOST",
    });
    assert.deepEqual(idsOf((await run(processor, [record(1), record(3)])).results), ["r1", "r3"]);
  });

  test("a record that takes too long fails alone, wherever in its chunk it is", async (t) => {
    const { processor } = await open(t, obeys, { recordTimeoutMs: 1_000 });
    const lines = [record(1, { do: "stay" }), "{", record(3), record(4, { do: "stay" }), record(5), ""];
    const { results, errors, end } = await run(processor, lines, 21);
    assert.deepEqual(idsOf(results), ["r3", "r5"]);
    assert.deepEqual(idsOf(errors), ["r1", 22, "r4"]);
    assert.deepEqual(end.errorClasses, { timeout: 2, invalid_json: 1 });
    assert.deepEqual(errors[2]?.error, { class: "timeout", message: "it took longer than 1 s" });
  });

  test("what is printed is no answer", async (t) => {
    const { processor, printed } = await open(t, obeys);
    const { results, errors } = await run(processor, [
      record(1, { do: "print" }),
      record(2, { do: "print" }),
    ]);
    assert.deepEqual([idsOf(results), errors], [["r1", "r2"], []]);
    await processor.close();
    assert.match(printed(), /hello/);
  });

  test("chunks under way are rejected when it is aborted", async (t) => {
    const abort = new AbortController();
    const { processor } = await open(t, obeys, { signal: abort.signal, concurrency: 2 });
    const underWay = [1, 2, 3].map((at) => processor.run(chunkOf([record(at, { do: "stay" })])));
    setTimeout(() => abort.abort(new Error("enough")), 50);
    for (const { status, ...ended } of await Promise.allSettled(underWay)) {
      assert.equal(status, "rejected");
      assert.equal((ended as { readonly reason: Error }).reason.message, "enough");
    }
  });
}

/** What holds for every end, whatever was in the chunk. */
function consistent(end: ChunkEnd): void {
  const { results, errors } = rowsOf(end);
  assert.deepEqual([end.doneCount, end.failedCount], [results.length, errors.length]);
  const failed = Object.values(end.errorClasses).reduce((sum, count) => sum + count, 0);
  assert.equal(failed, end.failedCount);
  assert.equal(end.idHashes.length, 2 * (end.doneCount + end.failedCount));
  assert.ok(end.latenciesMs.length >= end.doneCount);
  assert.ok(end.latenciesMs.every((ms) => ms >= 0));
}
