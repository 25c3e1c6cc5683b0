import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "./inspect.ts";
import { randomFrom } from "./random.ts";
import { Writer } from "./writer-process.ts";

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Rows that were written and whose writer died before it could tell. */
  readonly unacknowledged: number;
  /** Rows that no signature vouched for when their writer was dead. */
  readonly unsigned: number;
}

/** A file is used for so many kills; then a new one, so that writers die while they make it, too. */
const killsPerFile = 10;

/** Kills writers at moments the seed decides, and looks at what they left behind after each. */
export async function killWriters(kills: number, seed: number): Promise<KillReport> {
  const random = randomFrom(seed);
  const report = { kills: 0, acknowledged: 0, unacknowledged: 0, unsigned: 0 };
  while (report.kills < kills) {
    const folder = mkdtempSync(join(tmpdir(), "swarm-kill-"));
    try {
      const acknowledged = new Set<string>();
      for (let of = 0; of < killsPerFile && report.kills < kills; of++) {
        // Every other time two writers share the file and both die.
        const writers = 1 + (of % 2);
        // The first is killed while it opens a file that is not there yet.
        const limits = Array.from({ length: writers }, () => (of === 0 ? 0 : Math.floor(random() * 600)));
        const ids = await Promise.all(limits.map((limit) => killedAfter(folder, limit)));
        for (const id of ids.flat()) acknowledged.add(id);
        report.kills++;
        const found = await inspect(folder, acknowledged);
        assert.deepEqual(found.lost, [], "acknowledged rows that are not there once");
        report.unsigned += found.unsigned;
        if (of === killsPerFile - 1 || report.kills === kills) {
          report.acknowledged += acknowledged.size;
          report.unacknowledged += found.rows - acknowledged.size;
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return report;
}

async function killedAfter(folder: string, limit: number): Promise<string[]> {
  const writer = new Writer(folder, "process");
  await writer.acknowledged(limit);
  return writer.kill();
}
