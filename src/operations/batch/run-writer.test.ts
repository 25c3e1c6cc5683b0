import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import type { Finished } from "./finished.ts";
import { testRun } from "./harness.cases.ts";
import { InputFile } from "./input-file.ts";
import { runFiles } from "./run-spec.ts";
import { RunTotals } from "./run-totals.ts";
import { RunWriter } from "./run-writer.ts";

/** One record whose row is written. */
function finished(line: number): Finished {
  const end = {
    results: Buffer.from("{}\n"),
    errors: Buffer.alloc(0),
    doneCount: 1,
    failedCount: 0,
    errorClasses: {},
    idHashes: new Uint32Array(2),
    latenciesMs: new Float64Array([1]),
  };
  const range = { from_bytes: line * 3, from_lines: line, to_bytes: line * 3 + 3, to_lines: line + 1 };
  return { ...range, end, ids: [], piece: null };
}

test("what is added after the disk was full changes nothing: the run still ends with the reason", async (t) => {
  const { spec } = testRun(t, "{}\n{}\n");
  mkdirSync(spec.output);
  symlinkSync("/dev/full", join(spec.output, runFiles.results));
  const input = await InputFile.open(spec.input, false);
  const writer = await RunWriter.open({
    spec,
    clock: systemClock,
    totals: new RunTotals(undefined, null),
    input: input.fingerprint,
    from: null,
    onCheckpoint: () => undefined,
    release: () => undefined,
  });
  const problem = /ENOSPC/;
  writer.add(finished(0));
  await assert.rejects(writer.drain(), problem);
  writer.add(finished(1));
  await assert.rejects(writer.drain(), problem);
  await writer.close();
  await input.close();
});
