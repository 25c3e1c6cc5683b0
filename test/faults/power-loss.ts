import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Durability } from "../../src/record/audit/recorder.ts";
import { inspect } from "./inspect.ts";
import { Writer } from "./writer-process.ts";

export interface PowerLossReport {
  readonly losses: number;
  readonly acknowledged: number;
  /** Of those that were acknowledged. */
  readonly lost: number;
  readonly lostIntents: number;
}

/**
 * Records on a disk of its own whose file system forgets everything that was not fsynced, from one moment to the
 * next. Killing a process cannot test that: the kernel keeps what the process wrote. Gives the reason instead of a
 * report where there can be no such disk.
 */
export async function losePower(losses: number, durability: Durability): Promise<PowerLossReport | string> {
  const folder = mkdtempSync(join(tmpdir(), "swarm-power-"));
  const disk = join(folder, "disk");
  const image = join(folder, "image");
  mkdirSync(disk);
  try {
    const problem =
      failure("truncate", "-s", "64M", image) ?? failure("mkfs.ext4", "-q", image) ?? failure("perl", "-v");
    if (problem !== null) return problem;
    const acknowledged = new Set<string>();
    const lost = new Set<string>();
    for (let loss = 0; loss < losses; loss++) {
      const unmountable = failure("mount", "-o", "loop", image, disk);
      if (unmountable !== null) return unmountable;
      try {
        for (const id of await recordedBeforeLoss(disk, durability)) acknowledged.add(id);
      } finally {
        assert.equal(failure("umount", disk), null);
      }
      assert.equal(failure("mount", "-o", "loop", image, disk), null);
      try {
        for (const id of (await inspect(disk, acknowledged)).lost) lost.add(id);
      } finally {
        assert.equal(failure("umount", disk), null);
      }
    }
    const lostIntents = [...lost].filter((id) => id.startsWith("intent_")).length;
    return { losses, acknowledged: acknowledged.size, lost: lost.size, lostIntents };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** FS_IOC_SHUTDOWN of ext4, without flushing its journal. */
const shutdown =
  'open(my $disk, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($disk, 0x8004587d, $how) or die $!';

/** The writer is stopped first: with the power it would be gone, and could acknowledge nothing any more. */
async function recordedBeforeLoss(disk: string, durability: Durability): Promise<string[]> {
  const writer = new Writer(disk, durability);
  try {
    await writer.acknowledged(200);
    await writer.freeze();
    assert.equal(failure("perl", "-e", shutdown, disk), null);
  } finally {
    await writer.kill();
  }
  return writer.kill();
}

function failure(program: string, ...args: readonly string[]): string | null {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? null : `${program} cannot be run here: ${error?.message ?? stderr.trim()}`;
}
