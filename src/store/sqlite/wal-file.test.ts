import assert from "node:assert/strict";
import { fstatSync, statSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryFile } from "./harness.cases.ts";
import { openDatabase } from "./open-database.ts";
import { WalFile } from "./wal-file.ts";

/** An fsync that begins when it is called and ends when the test says so. */
class HeldSync {
  readonly began: number[] = [];
  #ends: PromiseWithResolvers<void>[] = [];
  #next = Promise.withResolvers<void>();

  readonly syncFile = (descriptor: number): Promise<void> => {
    this.began.push(descriptor);
    const end = Promise.withResolvers<void>();
    this.#ends.push(end);
    this.#next.resolve();
    return end.promise;
  };

  async until(count: number): Promise<void> {
    while (this.began.length < count) {
      await this.#next.promise;
      this.#next = Promise.withResolvers();
    }
  }

  end(error?: Error): void {
    const { resolve, reject } = this.#ends.shift() ?? assert.fail("no fsync is under way");
    if (error === undefined) resolve();
    else reject(error);
  }
}

function walFile(t: TestContext) {
  const file = temporaryFile(t);
  const database = openDatabase(file);
  t.after(() => database.close());
  const held = new HeldSync();
  return { file, held, wal: new WalFile(file, held.syncFile) };
}

/** Whether it has settled by now, every promise that could go on having done so. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test("what is fsynced is SQLite's log", async (t) => {
  const { file, held, wal } = walFile(t);
  const synced = wal.sync();
  await held.until(1);
  assert.equal(fstatSync(held.began[0] ?? -1).ino, statSync(`${file}-wal`).ino);
  held.end();
  await synced;
  await wal.close();
});

test("whoever asks waits for an fsync that began after they asked", async (t) => {
  const { held, wal } = walFile(t);
  const first = wal.sync();
  await held.until(1);
  const [second, third] = [wal.sync(), wal.sync()]; // the one under way may have missed their rows
  held.end();
  await first;
  await held.until(2);
  assert.deepEqual([await isSettled(second), await isSettled(third), held.began.length], [false, false, 2]);
  held.end();
  await Promise.all([second, third]);
  assert.equal(held.began.length, 2);
  await wal.close();
});

test("asking the moment an fsync ends starts another, and never two at a time", async (t) => {
  const { held, wal } = walFile(t);
  const asked: Promise<void>[] = [];
  const first = wal.sync().then(() => void asked.push(wal.sync()));
  await held.until(1);
  asked.push(wal.sync());
  held.end();
  await first;
  await held.until(2);
  assert.deepEqual(await Promise.all(asked.map(isSettled)), [false, false]);
  assert.equal(held.began.length, 2);
  held.end();
  if (!(await isSettled(Promise.all(asked)))) {
    await held.until(3);
    held.end();
  }
  await Promise.all(asked);
  await wal.close();
});

test("an fsync that fails is the last: everybody is told, and none is tried again", async (t) => {
  const { file, held, wal } = walFile(t);
  const first = wal.sync();
  await held.until(1);
  const second = wal.sync();
  assert.equal(wal.damage, null);
  held.end(Object.assign(new Error("i/o error"), { code: "EIO" }));
  const damaged = {
    code: "SWARM_STORE_DAMAGED",
    params: { location: `${file}-wal`, problem: "i/o error" },
  };
  for (const asked of [first, second, wal.sync()]) await assert.rejects(asked, damaged);
  assert.equal(held.began.length, 1);
  assert.notEqual(wal.damage, null);
  await wal.close();
});

test("closing waits for those who have asked, and refuses those who ask later", async (t) => {
  const { held, wal } = walFile(t);
  const first = wal.sync();
  await held.until(1);
  const second = wal.sync();
  const closed = wal.close();
  await assert.rejects(wal.sync(), { code: "SWARM_STORE_FAILED" });
  held.end();
  await held.until(2);
  assert.equal(await isSettled(closed), false);
  held.end();
  await Promise.all([first, second, closed]);
});
