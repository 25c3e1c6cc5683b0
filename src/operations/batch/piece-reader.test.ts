import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { testRun } from "./harness.cases.ts";
import { InputFile } from "./input-file.ts";
import { type Piece, PieceReader, pieceLimits } from "./piece-reader.ts";

async function piecesOf(
  file: string,
  maxLines: number,
  {
    isGzip = false,
    from = { bytes: 0, lines: 0 },
    done = [],
    limits = pieceLimits,
  }: {
    isGzip?: boolean;
    from?: { bytes: number; lines: number };
    done?: ConstructorParameters<typeof PieceReader>[2];
    limits?: typeof pieceLimits;
  } = {},
): Promise<Piece[]> {
  const input = await InputFile.open(file, isGzip);
  try {
    const reader = new PieceReader(input, from, done, limits);
    const pieces: Piece[] = [];
    for (let piece = await reader.next(maxLines); piece !== null; piece = await reader.next(maxLines)) {
      pieces.push(piece);
    }
    return pieces;
  } finally {
    await input.close();
  }
}

const textsOf = (pieces: readonly Piece[]) => pieces.map(({ chunk }) => chunk?.lines.toString() ?? null);

test("an input is cut into chunks of whole lines that know where they are", async (t) => {
  const { spec } = testRun(t, "a\n\nbb\nc");
  const [first, second, third, ...more] = await piecesOf(spec.input, 2);
  assert.deepEqual(more, []);
  assert.deepEqual([third?.from_bytes, third?.chunk?.firstLine, third?.chunk?.lines.toString()], [6, 4, "c"]);
  assert.deepEqual(
    { ...first, text: first?.chunk?.lines.toString() },
    { ...first, from_bytes: 0, to_bytes: 3, from_lines: 0, to_lines: 2, text: "a\n\n" },
  );
  assert.deepEqual(
    [second?.chunk?.firstLine, second?.chunk?.lineCount, second?.chunk?.lines.toString()],
    [3, 1, "bb\n"],
  );
});

test("a file without a newline at its end has its last line, an empty one has none", async (t) => {
  const { spec } = testRun(t, "a\nb");
  assert.deepEqual(textsOf(await piecesOf(spec.input, 1)), ["a\n", "b"]);
  writeFileSync(spec.input, "");
  assert.deepEqual(await piecesOf(spec.input, 1), []);
});

test("chunks have as many lines as were asked for, wherever the blocks of the file end", async (t) => {
  const { spec } = testRun(t, "0123456789\n".repeat(100_000));
  const pieces = await piecesOf(spec.input, 1_000);
  assert.deepEqual(
    [pieces.length, new Set(pieces.map(({ chunk }) => chunk?.lineCount))],
    [100, new Set([1_000])],
  );
});

test("a byte order mark is no part of the first record", async (t) => {
  const { spec } = testRun(t, "\ufeff{}\n{}\n");
  const [only] = await piecesOf(spec.input, 5);
  assert.equal(only?.chunk?.lines.toString(), "{}\n{}\n");
  assert.deepEqual([only?.from_bytes, only?.to_bytes], [0, 9]);
});

test("a line that is too long is passed over whole, wherever its newline comes", async (t) => {
  const limits = { lineBytes: 600_000, chunkBytes: 1_000 };
  const { spec } = testRun(t, `a\n${"x".repeat(5_000_000)}\nb\n${"y".repeat(1_000_000)}`);
  const pieces = await piecesOf(spec.input, 10, { limits });
  assert.deepEqual(textsOf(pieces), ["a\n", null, "b\n", null]);
  assert.deepEqual(
    pieces.map(({ from_lines, to_bytes }) => [from_lines, to_bytes]),
    [
      [0, 2],
      [1, 5_000_003],
      [2, 5_000_005],
      [3, 6_000_005],
    ],
  );
  const long = testRun(t, `${"x".repeat(500_000)}\n`);
  assert.equal((await piecesOf(long.spec.input, 10, { limits }))[0]?.chunk?.lines.length, 500_001);
});

test("whatever the chunks and whatever is done already, each line left comes once, plain or compressed", async (t) => {
  const { spec } = testRun(t, "");
  const line = fc.string({ maxLength: 12 }).map((text) => text.replaceAll("\n", "|"));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 60 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (texts, isDone, maxLines, isGzip) => {
        const lines = texts.map((text) => Buffer.from(`${text}\n`));
        const whole = Buffer.concat(lines);
        writeFileSync(spec.input, isGzip ? gzipSync(whole) : whole);
        let bytes = 0;
        const ranges = lines.map(({ length }, at) => {
          bytes += length;
          return { from_bytes: bytes - length, to_bytes: bytes, from_lines: at, to_lines: at + 1 };
        });
        const done = ranges.filter((_, at) => isDone[at]);
        const pieces = await piecesOf(spec.input, maxLines, { isGzip, done });
        const left = lines.filter((_, at) => !isDone[at]);
        assert.deepEqual(
          Buffer.concat(pieces.map(({ chunk }) => chunk?.lines ?? Buffer.alloc(0))),
          Buffer.concat(left),
        );
        for (const { chunk, from_lines, to_lines, from_bytes } of pieces) {
          assert.equal(chunk?.firstLine, from_lines + 1);
          assert.equal(chunk?.lineCount, to_lines - from_lines);
          assert.equal(ranges[from_lines]?.from_bytes, from_bytes);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("an input that is no file, or no gzip, or is cut short, is refused in words", async (t) => {
  const { spec, folder } = testRun(t, "a\n");
  await assert.rejects(InputFile.open(folder, false), { code: "SWARM_BATCH_INPUT_UNREADABLE" });
  await assert.rejects(InputFile.open(`${folder}/none`, false), /ENOENT/);
  await assert.rejects(piecesOf(spec.input, 1, { isGzip: true }), { code: "SWARM_BATCH_INPUT_UNREADABLE" });
  writeFileSync(spec.input, gzipSync("a\n".repeat(100_000)).subarray(0, -20));
  await assert.rejects(piecesOf(spec.input, 100_000, { isGzip: true }), /unexpected end of file/);
});

test("a file that has changed is told from the one it was", async (t) => {
  const { spec } = testRun(t, "a\nb\n");
  const input = await InputFile.open(spec.input, false);
  try {
    await input.checkUnchanged(input.fingerprint);
    const other = { ...input.fingerprint, head: "0" };
    await assert.rejects(input.checkUnchanged(other), /its first bytes/);
    writeFileSync(spec.input, "a\nb\nc\n");
    await assert.rejects(input.checkUnchanged(input.fingerprint), { code: "SWARM_BATCH_INPUT_CHANGED" });
  } finally {
    await input.close();
  }
});
