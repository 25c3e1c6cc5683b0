import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { LongReads } from "./long-reads.ts";

const place = { home: "/nowhere", url: "sqlite:/nowhere/swarm.db" };

function opened(): LongReads {
  return new LongReads(place, { warn: assert.fail });
}

test("reads begin one after the other, in the order they were asked for, whether or not one fails", async () => {
  const reads = opened();
  const seen: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = reads.inTurn(null, async () => {
    seen.push("first begins");
    await held.promise;
    seen.push("first ends");
    throw new Error("no");
  });
  const second = reads.inTurn(null, async () => void seen.push("second"));
  const refused = assert.rejects(first, /^Error: no$/);
  await setImmediate();
  assert.deepEqual(seen, ["first begins"]);
  held.resolve();
  await Promise.all([refused, second]);
  assert.deepEqual(seen, ["first begins", "first ends", "second"]);
});

test("one whose caller goes away while it waits is told before it begins, and one under way at once", async () => {
  const reads = opened();
  const gone = new AbortController();
  const both = [0, 1].map(() =>
    reads.inTurn(gone.signal, (signal) => {
      if (signal.aborted) return Promise.resolve("never began");
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("ended")));
    }),
  );
  await setImmediate();
  gone.abort();
  assert.deepEqual(await Promise.all(both), ["ended", "never began"]);
});

test("stopping ends what is under way and waits for it", async () => {
  const reads = opened();
  let isOver = false;
  const under = reads.inTurn(null, async (signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await setImmediate();
    isOver = true;
  });
  await setImmediate();
  await reads.stop();
  assert.equal(isOver, true);
  await under;
});
