import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { newId } from "../base/ids.ts";
import { entry } from "../ports/store-harness.cases.ts";
import { lateEntries, leaveEntry, mayLeaveEntry } from "./late-entries.ts";

const minuteMs = 60_000;

function home(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-late-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("entries are taken oldest first, as they were left, and are there until they are forgotten", (t) => {
  const place = home(t);
  const entries = [3, 1, 2].map((ms) => entry({ id: newId("evt", Date.now() + ms), before: `{"at":${ms}}` }));
  for (const each of entries) leaveEntry(place, each);
  const sorted = entries.toSorted((a, b) => a.id.localeCompare(b.id));
  assert.deepEqual(lateEntries(place, Date.now() + 10)?.entries, sorted);
  const taken = lateEntries(place, Date.now() + 10);
  assert.deepEqual([taken?.entries, taken?.damaged], [sorted, []]);
  // One that comes meanwhile is nobody's to forget.
  const later = entry();
  leaveEntry(place, later);
  taken?.forget();
  assert.deepEqual(lateEntries(place, Date.now())?.entries, [later]);
});

test("they are their owner's alone", (t) => {
  const place = home(t);
  const left = entry();
  leaveEntry(place, left);
  const modes = [join(place, "late"), join(place, "late", left.id)].map(
    (path) => statSync(path).mode & 0o777,
  );
  assert.deepEqual(modes, [0o700, 0o600]);
});

test("where nothing was ever left there is nothing, and one may be", (t) => {
  const place = home(t);
  assert.equal(lateEntries(place, Date.now()), null);
  assert.equal(mayLeaveEntry(place, Date.now()), true);
});

test("no more than 256 are left, and none beside one that waits for five minutes, or comes from the future", (t) => {
  const place = home(t);
  const nowMs = Date.now();
  leaveEntry(place, entry({ id: newId("evt", nowMs) }));
  assert.equal(mayLeaveEntry(place, nowMs + 5 * minuteMs - 1), true);
  assert.equal(mayLeaveEntry(place, nowMs + 5 * minuteMs), false);
  assert.equal(mayLeaveEntry(place, nowMs - 1), false);
  for (let left = 1; left < 256; left++) {
    assert.equal(mayLeaveEntry(place, nowMs), true);
    writeFileSync(join(place, "late", newId("evt", nowMs)), "");
  }
  assert.equal(mayLeaveEntry(place, nowMs), false);
});

test("one that is not whole is left to whoever writes it, and set aside when nobody can be writing it any more", (t) => {
  const place = home(t);
  const [whole, cut] = [entry({ id: "evt_1" }), entry({ id: newId("evt") })];
  for (const each of [whole, cut]) leaveEntry(place, each);
  const file = join(place, "late", cut.id);
  truncateSync(file, statSync(file).size - 1);
  const young = lateEntries(place, Date.now());
  assert.deepEqual([young?.entries, young?.damaged], [[whole], []]);
  const old = lateEntries(place, Date.now() + 6 * minuteMs);
  assert.deepEqual([old?.entries, old?.damaged], [[whole], [`${file}.damaged`]]);
  old?.forget();
  assert.deepEqual(readdirSync(join(place, "late")), [`${cut.id}.damaged`]);
  assert.equal(lateEntries(place, Date.now()), null, "it is not looked at again");
  assert.equal(mayLeaveEntry(place, Date.now()), true, "and is in nobody's way");
});

test("an entry that cannot be left is no entry: the same id is not written over", (t) => {
  const place = home(t);
  const left = entry({ reason: "first" });
  leaveEntry(place, left);
  assert.throws(() => leaveEntry(place, { ...left, reason: "second" }), { code: "EEXIST" });
  assert.deepEqual(lateEntries(place, Date.now())?.entries, [left]);
  assert.ok(existsSync(join(place, "late", left.id)));
});
