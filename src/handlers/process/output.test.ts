import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { suite, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BoundedOutput } from "./bounded-output.ts";
import { freeChunk } from "./free-chunk.ts";
import { Bench, linuxOnly, runUnprivileged, unprivilegedOnly } from "./harness.cases.ts";
import { defaultProcessLimits } from "./process-limits.ts";
import type { ProcessResult } from "./run-process.ts";
import { SpillFile } from "./spill-file.ts";

const mebibyte = 1024 * 1024;
const letters = (count: number) => `head -c ${count} /dev/zero | tr '\\0' a`;

function spillPathOf({ ending }: ProcessResult): string {
  assert.ok(ending.how === "flooded" && ending.spillPath !== null, JSON.stringify(ending));
  return ending.spillPath;
}

/**
 * The most that was held at once while `run` went on. Held, not used: on a busy machine the collector comes late, and
 * buffers already let go of would count. A run that keeps what it reads shows up all the same.
 */
async function growthBytes(run: () => Promise<unknown>): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, held());
  }, 20);
  await run();
  clearInterval(timer);
  return Math.max(highest, held()) - before;
}

test("the limits are the documented ones", () => {
  const { stdoutBytes, stderrBytes, spillBytes, killGraceMs } = defaultProcessLimits;
  assert.deepEqual(
    { stdoutBytes, stderrBytes, spillBytes, killGraceMs },
    { stdoutBytes: mebibyte, stderrBytes: 64 * 1024, spillBytes: 64 * mebibyte, killGraceMs: 500 },
  );
});

suite("a character split over two writes", () => {
  for (const [what, bytes] of Object.entries({ "€": "\\342\\202\\254", "😀": "\\360\\237\\230\\200" })) {
    test(what, async (t) => {
      const parts = bytes.split(/(?=\\)/).map((byte) => `printf '${byte}'; sleep 0.05`);
      const { stdout, stderr } = await new Bench(t).sh(
        `{ ${parts.join("; ")}; }; { ${parts.join("; ")}; } >&2`,
      );
      assert.deepEqual([stdout, stderr], [what, what]);
    });
  }
});

suite("output over the limit is a flood", () => {
  test("exactly the limit is not", async (t) => {
    const { ending, stdout } = await new Bench(t).sh(letters(mebibyte));
    assert.deepEqual([ending, stdout.length], [{ how: "exited", exitCode: 0 }, mebibyte]);
  });

  test("one byte more is, whatever the exit code, and the file holds all of it", async (t) => {
    const result = await new Bench(t).sh(`${letters(mebibyte)}; printf b; exit 0`);
    const path = spillPathOf(result);
    assert.equal(readFileSync(path, "latin1"), `${"a".repeat(mebibyte)}b`);
    assert.equal(result.stdout, "a".repeat(mebibyte));
  });

  test("nobody else may read the file or look into its folder", async (t) => {
    const bench = new Bench(t);
    const path = spillPathOf(await bench.sh(letters(2 * mebibyte)));
    const modes = [statSync(path).mode, statSync(bench.spillFolder).mode].map((mode) => mode & 0o777);
    assert.deepEqual(modes, [0o600, 0o700]);
  });

  test("the file stops at its cap, and the program is ended", async (t) => {
    const bench = new Bench(t);
    const result = await bench.sh("echo $$ > pid; exec yes", {}, { spillBytes: 3_000_001 });
    assert.equal(statSync(spillPathOf(result)).size, 3_000_001);
    await bench.gone("pid");
  });

  test("a program that ignores the broken pipe and the request to end is ended too", async (t) => {
    const bench = new Bench(t);
    const line = "trap '' PIPE TERM; echo $$ > pid; while :; do printf '%65536s' x; done 2>/dev/null";
    const result = await bench.sh(line, {}, { spillBytes: 2 * mebibyte, killGraceMs: 100 });
    assert.equal(statSync(spillPathOf(result)).size, 2 * mebibyte);
    await bench.gone("pid");
  });

  test("its output is not read any further: who still writes is told so", async (t) => {
    const bench = new Bench(t);
    const limits = { spillBytes: 2 * mebibyte, killGraceMs: 5_000 };
    await bench.sh("trap '' TERM; yes 2>/dev/null; echo $? > status", {}, limits);
    assert.notEqual(await bench.written("status"), "0\n");
  });

  test("past its deadline it is still a flood, and its file is named", async (t) => {
    const bench = new Bench(t);
    const result = await bench.sh(`${letters(2 * mebibyte)}; sleep 1000`, { timeoutMs: 1_000 });
    assert.equal(statSync(spillPathOf(result)).size, 2 * mebibyte);
  });

  test("without a folder the program is ended at once", async (t) => {
    const bench = new Bench(t);
    const { ending, stdout } = await bench.sh("echo $$ > pid; exec yes", { spillFolder: null });
    assert.deepEqual([ending, stdout.length], [{ how: "flooded", spillPath: null }, mebibyte]);
    await bench.gone("pid");
  });

  test("so it is when the folder cannot be made", async (t) => {
    const bench = new Bench(t);
    writeFileSync(bench.spillFolder, "");
    const { ending } = await bench.sh("echo $$ > pid; exec yes");
    assert.deepEqual(ending, { how: "flooded", spillPath: null });
    await bench.gone("pid");
  });

  test("and when the file cannot be", { skip: linuxOnly }, async (t) => {
    const bench = new Bench(t);
    const { ending } = await bench.sh("echo $$ > pid; exec yes", { spillFolder: "/proc" });
    assert.deepEqual(ending, { how: "flooded", spillPath: null });
    await bench.gone("pid");
  });

  test("and when we may not write there", { skip: unprivilegedOnly }, (t) => {
    const bench = new Bench(t);
    mkdirSync(bench.spillFolder, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    const spillFolder = isRoot ? bench.spillFolder : "/";
    const { ending } = runUnprivileged(bench.spec(["yes"], { spillFolder }));
    assert.deepEqual(ending, { how: "flooded", spillPath: null });
    assert.deepEqual(readdirSync(bench.spillFolder), []);
  });

  test("the text that is kept does not end within a character", async (t) => {
    const limits = { stdoutBytes: 10 };
    const { stdout } = await new Bench(t).sh("printf 'aaaaaaaa\\360\\237\\230\\200'", {}, limits);
    assert.equal(stdout, "aaaaaaaa");
  });
});

suite("memory stays bounded", () => {
  test("1 GiB on standard output", async (t) => {
    const bench = new Bench(t);
    const run = async () => {
      const result = await bench.run(["head", "-c", String(1024 * mebibyte), "/dev/zero"]);
      assert.equal(statSync(spillPathOf(result)).size, 64 * mebibyte);
    };
    assert.ok((await growthBytes(run)) < 32_000_000);
  });

  test("256 MiB on standard output, all of it into the file", async (t) => {
    const size = 256 * mebibyte;
    const bench = new Bench(t);
    const run = async () => {
      const result = await bench.run(["head", "-c", String(size), "/dev/zero"], {}, { spillBytes: 2 * size });
      assert.equal(statSync(spillPathOf(result)).size, size);
    };
    assert.ok((await growthBytes(run)) < 32_000_000);
  });

  test("256 MiB on standard error, which is no flood: the first 64 KiB are kept", async (t) => {
    const run = async () => {
      const { ending, stderr } = await new Bench(t).sh(
        `echo first >&2; head -c ${256 * mebibyte} /dev/zero >&2`,
      );
      assert.deepEqual([ending, stderr.length], [{ how: "exited", exitCode: 0 }, 64 * 1024]);
      assert.equal(stderr.slice(0, 6), "first\n");
    };
    assert.ok((await growthBytes(run)) < 32_000_000);
  });

  test("a million single bytes take the room of a million bytes", () => {
    const output = new BoundedOutput(1_000_000);
    for (let at = 0; at < 1_000_000; at++) output.add(Buffer.alloc(1, 97 + (at % 26)));
    assert.equal(output.bytes.buffer.byteLength, 1_000_000);
    assert.equal(output.text(), "abcdefghijklmnopqrstuvwxyz".repeat(40_000).slice(0, 1_000_000));
  });

  test("a chunk is given back at once, unless it shares its memory", () => {
    const own = Buffer.from(new ArrayBuffer(100_000));
    const part = Buffer.from(new ArrayBuffer(100_000)).subarray(1);
    for (const chunk of [own, part]) freeChunk(chunk);
    assert.deepEqual([own.buffer.byteLength, part.length], [0, 99_999]);
  });

  test("what was copied is given back at once, and in the end all of it", () => {
    const output = new BoundedOutput(mebibyte);
    const chunks = [1, 2, 3].map((letter) => Buffer.from(new ArrayBuffer(100_000)).fill(letter));
    for (const chunk of chunks) assert.equal(output.add(chunk), 100_000);
    assert.deepEqual(
      chunks.map(({ buffer }) => buffer.byteLength),
      [0, 0, 0],
    );
    const [text, { buffer }] = [output.text(), output.bytes];
    assert.equal(text, [1, 2, 3].map((letter) => String.fromCharCode(letter).repeat(100_000)).join(""));
    output.free();
    assert.equal(buffer.byteLength, 0);
  });

  test("a source waits for the disk and then goes on", async (t) => {
    const source = new PassThrough();
    const spill = SpillFile.create(new Bench(t).spillFolder, "slow", 4 * mebibyte, source);
    const resumed = once(source, "resume");
    spill?.add(Buffer.alloc(mebibyte), false);
    assert.equal(source.isPaused(), true);
    await resumed;
    await new Promise<unknown>((resolve) => spill?.close(60_000, resolve));
  });
});

test("a printer gets both streams as they come, however much it is, and nothing of it is held", async (t) => {
  const bench = new Bench(t);
  let [bytes, last] = [0, ""];
  const print = (chunk: Buffer) => {
    bytes += chunk.length;
    last = chunk.toString("latin1").slice(-5);
  };
  let result: ProcessResult | undefined;
  const grown = await growthBytes(async () => {
    result = await bench.sh(
      `${letters(16 * mebibyte)}; ${letters(mebibyte)} >&2; sleep 0.1; echo done >&2; exit 3`,
      { print },
    );
  });
  assert.deepEqual(result?.ending, { how: "exited", exitCode: 3 });
  assert.deepEqual([bytes, last], [17 * mebibyte + 5, "done\n"]);
  assert.equal(result?.stdout, "");
  assert.ok(grown < 8 * mebibyte, `${grown} bytes`);
});
