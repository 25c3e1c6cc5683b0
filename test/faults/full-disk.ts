import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Recorder } from "../../src/record/audit/recorder.ts";
import { SigningKey } from "../../src/record/audit/signing-key.ts";
import { storedRecord } from "../../src/record/audit/stored-record.ts";
import { verifyRecord } from "../../src/record/audit/verify.ts";
import { systemClock } from "../../src/base/clock.ts";
import { SwarmError } from "../../src/base/errors.ts";
import { newId } from "../../src/base/ids.ts";
import type { Store } from "../../src/store/port/store.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

/** A disk of two megabytes. */
export class SmallDisk {
  readonly folder: string;
  /** Why there can be none here, or null. */
  readonly problem: string | null;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "swarm-disk-"));
    const { status, error, stderr } = mount(
      "mount",
      "-t",
      "tmpfs",
      "-o",
      "size=2m,mode=0700",
      "tmpfs",
      this.folder,
    );
    this.problem =
      status === 0 ? null : `a small disk cannot be mounted here: ${error?.message ?? stderr.trim()}`;
  }

  remove(): void {
    if (this.problem === null) {
      const { status, stderr } = mount("umount", this.folder);
      assert.equal(status, 0, stderr);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function mount(program: string, ...args: readonly string[]) {
  return spawnSync(program, args, { encoding: "utf8" });
}

export interface FullDiskReport {
  readonly beforeFull: number;
  readonly refused: number;
  readonly afterFull: number;
}

/** Records until the disk is full, makes room, and records on in the same process. */
export async function fillDisk(folder: string): Promise<FullDiskReport> {
  const ballast = join(folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(512 * 1024));
  const store = openSqliteStore(join(folder, "swarm.db"));
  const key = new SigningKey(join(folder, "audit-key.pem"));
  const recorder = new Recorder({ store, key, clock: systemClock, durability: "process" });
  try {
    const acknowledged = new Set<string>();
    const refused = new Set<string>();
    const recordSome = async (count: number): Promise<void> => {
      await Promise.all(
        Array.from({ length: count }, async () => {
          const id = newId("evt");
          try {
            await recorder.record({
              id,
              kind: "emit",
              event: "tool.before",
              actor: "swarm",
              before: "x".repeat(2_000),
            });
            acknowledged.add(id);
          } catch (error) {
            assert.ok(error instanceof SwarmError && error.code === "SWARM_STORE_FULL", String(error));
            refused.add(id);
          }
        }),
      );
    };
    for (let turn = 0; turn < 1_000 && refused.size === 0; turn++) await recordSome(8);
    assert.ok(refused.size > 0, "sixteen megabytes were recorded on a disk of two");
    const beforeFull = acknowledged.size;
    for (let turn = 0; turn < 20; turn++) await recordSome(8); // it stays full, and says so every time
    assert.deepEqual(await faultsOf(store, key), []);
    rmSync(ballast);
    const refusedWhileFull = refused.size;
    for (let turn = 0; turn < 5; turn++) await recordSome(8);
    assert.equal(refused.size, refusedWhileFull, "there is room again, and still nothing is recorded");
    await recorder.close();
    assert.deepEqual(await faultsOf(store, key), []);
    const rows = await store.readRunEvents(0, 1_000_000);
    assert.deepEqual(
      new Set(rows.map(({ id }) => id)),
      acknowledged,
      "what is there is what was acknowledged",
    );
    assert.equal(rows.length, acknowledged.size);
    assert.equal((await store.signedHead())?.seq, rows.length);
    return { beforeFull, refused: refused.size, afterFull: acknowledged.size - beforeFull };
  } finally {
    await Promise.allSettled([recorder.close()]); // closed above unless something went wrong
    await store.close();
  }
}

async function faultsOf(store: Store, key: SigningKey) {
  return (await verifyRecord(await storedRecord(store, key.publicKey))).faults;
}
