import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { newId } from "../../base/ids.ts";
import { sealOf } from "../../base/seal.ts";
import type { RunEntry } from "../port/run-event.ts";
import { entry as anyEntry } from "../../store/port/store-harness.cases.ts";
import { leaveEntry, mayLeaveEntry } from "./late-entries.ts";
import { lateEntries } from "./read-late-entries.ts";
import { SigningKey } from "./signing-key.ts";

const minuteMs = 60_000;

function entry(changes: Partial<RunEntry> = {}): RunEntry {
  return anyEntry({ time: new Date().toISOString(), ...changes });
}

function taken(home: string, nowMs = Date.now()) {
  return lateEntries(home, new SigningKey(join(home, "audit-key.pem")), nowMs);
}

function home(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "swarm-late-"));
  t.after(() => rmSync(folder, { recursive: true }));
  new SigningKey(join(folder, "audit-key.pem"));
  return folder;
}

test("entries are taken oldest first, as they were left, and are there until they are forgotten", (t) => {
  const place = home(t);
  const entries = [3, 1, 2].map((ms) => entry({ id: newId("evt", Date.now() + ms), before: `{"at":${ms}}` }));
  for (const each of entries) leaveEntry(place, each);
  const sorted = entries.toSorted((a, b) => a.id.localeCompare(b.id));
  assert.deepEqual(taken(place, Date.now() + 10)?.entries, sorted);
  const found = taken(place, Date.now() + 10);
  assert.deepEqual([found?.entries, found?.rejected], [sorted, []]);
  // One that comes meanwhile is nobody's to forget.
  const later = entry();
  leaveEntry(place, later);
  found?.forget();
  assert.deepEqual(taken(place)?.entries, [later]);
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
  assert.equal(taken(place), null);
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
  const young = taken(place);
  assert.deepEqual([young?.entries, young?.rejected], [[whole], []]);
  const old = taken(place, Date.now() + 6 * minuteMs);
  assert.deepEqual([old?.entries, old?.rejected.map((each) => each.file)], [[whole], [`${file}.rejected`]]);
  old?.forget();
  assert.deepEqual(readdirSync(join(place, "late")), [`${cut.id}.rejected`]);
  assert.equal(taken(place), null, "it is not looked at again");
  assert.equal(mayLeaveEntry(place, Date.now()), true, "and is in nobody's way");
});

test("an entry that cannot be left is no entry: the same id is not written over", (t) => {
  const place = home(t);
  const left = entry({ reason: "first" });
  leaveEntry(place, left);
  assert.throws(() => leaveEntry(place, { ...left, reason: "second" }), { code: "EEXIST" });
  assert.deepEqual(taken(place)?.entries, [left]);
  assert.ok(existsSync(join(place, "late", left.id)));
});

test("only agents' calls that were sealed here are taken; anything else is set aside and never fails", (t) => {
  const place = home(t);
  const seal = (json: string) =>
    `${sealOf(readFileSync(join(place, "audit-key.pem")), "late entry", json)} ${json}`;
  const sealedEntry = (changes: object) => (id: string) =>
    seal(JSON.stringify({ ...entry({ id }), ...changes }));
  const texts: ((id: string) => string)[] = [
    () => "null",
    () => "{}",
    () => "",
    (id) => JSON.stringify(entry({ id })),
    (id) => `${"A".repeat(43)} ${JSON.stringify(entry({ id }))}`,
    () => seal("null"),
    () => seal("not JSON"),
    sealedEntry({ id: "evt_other" }),
    sealedEntry({ actor: "human:ann" }),
    sealedEntry({ actor: "swarm" }),
    sealedEntry({ event: "approval.decided" }),
    sealedEntry({ kind: "outcome", event: "approval.requested" }),
    sealedEntry({ seq: 1 }),
    sealedEntry({ time: "2020-01-01T00:00:00.000Z" }),
  ];
  mkdirSync(join(place, "late"), { mode: 0o700 });
  for (const make of texts) {
    const id = newId("evt", Date.now() - 6 * minuteMs);
    writeFileSync(join(place, "late", id), make(id));
    const found = taken(place);
    const kept = join(place, "late", `${id}.rejected`);
    assert.deepEqual([found?.entries, found?.rejected.map(({ file }) => file)], [[], [kept]], make(id));
  }
  mkdirSync(join(place, "late", "evt_folder"));
  assert.equal(taken(place)?.rejected[0]?.problem, "not a file, expected one");
});
