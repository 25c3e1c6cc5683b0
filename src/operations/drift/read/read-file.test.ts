import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { CsvReader } from "./csv.ts";
import { readRecords } from "./read-file.ts";

function fileWith(t: TestContext, name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-drift-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function recordsOf(file: string) {
  const records: unknown[] = [];
  const read = await readRecords(file, (record) => records.push({ ...(record as object) }));
  return { ...read, records };
}

const table =
  '\uFEFFname,amount,note\r\n"Ada, Countess",1.5,"says ""hi"",\r\ntwice"\r\nBob,-2e3,5" pipe\r\n\r\nCy,,NA\r\n';
const rows = [
  { name: "Ada, Countess", amount: 1.5, note: 'says "hi",\r\ntwice' },
  { name: "Bob", amount: -2000, note: '5" pipe' },
  { name: "Cy", amount: null, note: null },
];

test("CSV is read with quotes, line breaks within them, CRLF, a byte order mark and what stands for nothing", async (t) => {
  const file = fileWith(t, "a.csv", table);
  const { records, rows: count, unread, bytes, digest } = await recordsOf(file);
  assert.deepEqual(records, rows);
  assert.deepEqual([count, unread, bytes], [3, 0, Buffer.byteLength(table)]);
  assert.equal(digest, createHash("sha256").update(table).digest("hex"));
});

test("what a file is, is seen by its beginning where its name does not say, and gzip by its bytes", async (t) => {
  assert.deepEqual((await recordsOf(fileWith(t, "data", gzipSync(table)))).records, rows);
  assert.deepEqual((await recordsOf(fileWith(t, "data.bin", '\n {"a":1}\n{"a":2}'))).records, [
    { a: 1 },
    { a: 2 },
  ]);
  assert.deepEqual((await recordsOf(fileWith(t, "a.tsv", "a\tb\n1\t2\n"))).records, [{ a: 1, b: 2 }]);
  assert.deepEqual((await recordsOf(fileWith(t, "x.jsonl.gz", gzipSync('{"a":"ä"}\r\n')))).records, [
    { a: "ä" },
  ]);
  assert.deepEqual((await recordsOf(fileWith(t, "empty.csv", ""))).records, []);
});

test("columns of the same name and without one are told apart, and any name is a name", async (t) => {
  const { records } = await recordsOf(fileWith(t, "a.csv", "a,a,,__proto__\n1,2,3,4\n"));
  assert.deepEqual(Object.entries(records[0] as object), [
    ["a", 1],
    ["a_2", 2],
    ["column_3", 3],
    ["__proto__", 4],
  ]);
});

test("cells are numbers and truths only where they are written as such", async (t) => {
  const cells = ["1", "+.5", "0x10", "1e999", "Infinity", "1_000", "true", "False", "TRUE", " 7 "];
  const { records } = await recordsOf(fileWith(t, "a.csv", `a\n${cells.join("\n")}\n`));
  const values = records.map((record) => (record as { a: unknown }).a);
  assert.deepEqual(values, [1, 0.5, "0x10", Infinity, "Infinity", "1_000", true, false, "TRUE", 7]);
});

test("however the text of a table is cut, the same rows come out", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "ä", " "), maxLength: 6 });
  const lines = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.nat(200), { maxLength: 8 });
  fc.assert(
    fc.property(lines, cuts, (given, at) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = `x,y\n${given.map(([a, b]) => `${quoted(a)},${quoted(b)}`).join("\n")}\n`;
      const read: unknown[] = [];
      const unread: string[] = [];
      const reader = new CsvReader(
        { record: (row) => read.push(row), unread: (why) => unread.push(why) },
        ",",
      );
      const places = [
        0,
        ...at.map((place) => Math.min(place, text.length)).sort((a, b) => a - b),
        text.length,
      ];
      for (const [index, place] of places.entries())
        reader.push(text.slice(place, places[index + 1] ?? place));
      reader.end();
      assert.deepEqual(unread, []);
      assert.equal(reader.pendingChars, 0);
      const expected = given.map(([a, b]) => [a, b].map((field) => (field.trim() === "" ? null : field)));
      assert.deepEqual(
        read.map((row) => Object.values(row as object)),
        expected,
      );
    }),
  );
});

test("a few rows that cannot be read are counted; many are an error that names the first", async (t) => {
  const good = '{"a":1}\n'.repeat(200);
  const { rows: count, unread } = await recordsOf(fileWith(t, "a.jsonl", `${good}{"a":`));
  assert.deepEqual([count, unread], [200, 1]);
  const invalid = { code: "SWARM_DRIFT_DATA_INVALID" };
  await assert.rejects(recordsOf(fileWith(t, "b.jsonl", '{"a":1}\nnot json\n')), {
    ...invalid,
    message: /b\.jsonl: 1 of 2 rows cannot be read; row 2: a line is not JSON: /,
  });
  await assert.rejects(recordsOf(fileWith(t, "c.csv", "a,b\n1,2\n1\n")), {
    ...invalid,
    message: /row 2: a row has 1 fields, expected 2/,
  });
  await assert.rejects(recordsOf(fileWith(t, "d.csv", 'a,b\n1,"2\n')), {
    message: /a quote is never closed/,
  });
});

test("what never ends, is cut short, is no file or is not there is an error, and nobody waits for it", async (t) => {
  const invalid = { code: "SWARM_DRIFT_DATA_INVALID" };
  const long = fileWith(t, "long.jsonl", `{"a":"${"x".repeat(9 * 1024 * 1024)}`);
  await assert.rejects(recordsOf(long), { ...invalid, message: /a row is longer than 8388608 characters/ });
  const bomb = fileWith(t, "bomb.csv", gzipSync(`a\n"${"x".repeat(64 * 1024 * 1024)}`));
  await assert.rejects(recordsOf(bomb), { ...invalid, message: /longer than/ });
  const short = fileWith(t, "short.gz", gzipSync('{"a":1}\n'.repeat(1_000)).subarray(0, 40));
  await assert.rejects(recordsOf(short), { ...invalid, message: /unexpected end of file/ });
  const pipe = join(short, "..", "pipe");
  execFileSync("mkfifo", [pipe]);
  await assert.rejects(recordsOf(pipe), { ...invalid, message: /not a file/ });
  await assert.rejects(recordsOf(join(short, "..", "nowhere")), { ...invalid, message: /ENOENT/ });
});
