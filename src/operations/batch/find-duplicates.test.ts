import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { hashIdText } from "./port/batch-rows.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { rowsOf, testRun } from "./harness.cases.ts";
import { idBlocks } from "./id-file.ts";
import type { RunSpec } from "./run-spec.ts";

/** An input and its ids.bin, as chunks of so many lines would have written it. `null`: a blank line. */
function withIds(
  t: TestContext,
  ids: readonly (string | null)[],
  chunkLines: number,
  hash = (id: string, into: Uint32Array) => hashIdText(JSON.stringify(id), into, 0),
): { readonly spec: RunSpec; readonly count: number } {
  const lines = ids.map((id) => (id === null ? "\n" : `${JSON.stringify({ record_id: id })}\n`));
  const { spec } = testRun(t, lines.join(""));
  const blocks: Buffer[] = [];
  for (let from = 0; from < ids.length; from += chunkLines) {
    const part = ids.slice(from, from + chunkLines);
    const named = part.filter((id) => id !== null);
    const hashes = new Uint32Array(2 * named.length);
    for (const [at, id] of named.entries()) hash(id, hashes.subarray(2 * at));
    const bytes = Buffer.from(lines.slice(from, from + part.length).join(""));
    const chunk = { firstLine: from + 1, lineCount: part.length, lines: bytes };
    const range = { from_bytes: 0, to_bytes: bytes.length, from_lines: from, to_lines: from + part.length };
    blocks.push(...idBlocks({ ...range, chunk }, hashes));
  }
  mkdirSync(spec.output);
  writeFileSync(join(spec.output, "ids.bin"), Buffer.concat(blocks));
  return { spec, count: ids.filter((id) => id !== null).length };
}

test("records with an id of an earlier one are reported with both lines", async (t) => {
  const { spec, count } = withIds(t, ["a", "b", null, "a", "c", "a", "c"], 3);
  assert.deepEqual(await findDuplicates(spec, count), { records: 3, ids: 2 });
  assert.deepEqual(rowsOf(spec, "duplicates.jsonl"), [
    { record_id: "a", line: 4, first_line: 1 },
    { record_id: "a", line: 6, first_line: 1 },
    { record_id: "c", line: 7, first_line: 5 },
  ]);
});

test("equal hashes of different ids are no duplicates", async (t) => {
  const { spec, count } = withIds(t, ["a", "b", "c", "b"], 2, (_, into) => into.set([7, 7]));
  assert.deepEqual(await findDuplicates(spec, count), { records: 1, ids: 1 });
  assert.deepEqual(rowsOf(spec, "duplicates.jsonl"), [{ record_id: "b", line: 4, first_line: 2 }]);
});

test("in however many buckets, exactly the repeated ones are found, and no bucket is left behind", async (t) => {
  const id = fc.oneof(fc.constantFrom("a", "b", "c", "x".repeat(200)), fc.uuid());
  const lines = fc.array(
    fc.oneof({ weight: 9, arbitrary: id }, { weight: 1, arbitrary: fc.constant(null) }),
    {
      maxLength: 80,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 30 }),
      async (ids, chunkLines, perBucket, textsAtOnce) => {
        const { spec, count } = withIds(t, ids, chunkLines);
        const first = new Map<string, number>();
        const expected = ids.flatMap((text, at) => {
          if (text === null) return [];
          const firstLine = first.get(text);
          if (firstLine === undefined) first.set(text, at + 1);
          return firstLine === undefined ? [] : [{ record_id: text, line: at + 1, first_line: firstLine }];
        });
        const found = await findDuplicates(spec, count, { ids: perBucket, buckets: 4 }, textsAtOnce);
        const rows = rowsOf(spec, "duplicates.jsonl").sort((a, b) => Number(a.line) - Number(b.line));
        assert.deepEqual(rows, expected);
        assert.deepEqual(found, {
          records: expected.length,
          ids: new Set(expected.map(({ record_id }) => record_id)).size,
        });
        assert.deepEqual(readdirSync(spec.output).sort(), ["duplicates.jsonl", "ids.bin"]);
      },
    ),
    { numRuns: 40 },
  );
});
