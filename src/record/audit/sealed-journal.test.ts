import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { NotReadable } from "../../base/bounded-file.ts";
import { sealOf } from "../../base/seal.ts";
import type { RunEntry } from "../port/run-event.ts";
import { entry as anyEntry, handler } from "../../store/port/store-harness.cases.ts";
import { RecordBench } from "./harness.cases.ts";
import { JournalFile } from "../../store/sqlite/journal-file.ts";
import { readJournal, SealedJournal } from "./sealed-journal.ts";

const nowMs = Date.parse("2026-11-01T12:00:00.000Z");

function entry(changes: object = {}): RunEntry {
  return anyEntry({ time: new Date(nowMs).toISOString(), ...changes });
}

function written(t: TestContext, ...entries: readonly RunEntry[]) {
  const { folder, key } = new RecordBench(t);
  const file = join(folder, "journal");
  const journal = new SealedJournal(new JournalFile(file), key);
  for (const each of entries) journal.write(each);
  journal.close();
  const read = () => readJournal(new JournalFile(file), key, nowMs);
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return { file, key, folder, read, lines };
}

test("what was written is read, and no line of another key's, or of none", (t) => {
  const entries = [entry(), entry({ handlers: [handler()], before: '{"a":"ü\\n"}' })];
  const { file, read, lines } = written(t, ...entries);
  assert.deepEqual(read(), { entries, rejected: null });
  const others = written(t, entry());
  writeFileSync(file, `${lines[0]}\n${others.lines[0]}\n`);
  const { rejected } = read();
  assert.deepEqual([rejected?.lines, rejected?.text], [1, `${others.lines[0]}\n`]);
});

test("whatever else stands there is rejected, whole, and never fails", (t) => {
  const { file, read, lines } = written(t, entry());
  const [good = ""] = lines;
  for (const text of ["null", "{}", "", "what", "00000000 {}", "\0".repeat(64), good.slice(44), `${good} `]) {
    writeFileSync(file, `${text}\n`);
    assert.deepEqual([read().entries, read().rejected?.text], [[], `${text}\n`], JSON.stringify(text));
    writeFileSync(file, `${good}\n${text}\n`);
    assert.deepEqual([read().entries.length, read().rejected?.text], [1, `${text}\n`], JSON.stringify(text));
    // Without its end it is what a crash leaves behind.
    writeFileSync(file, `${good}\n${text}`);
    assert.deepEqual([read().entries.length, read().rejected], [1, null], JSON.stringify(text));
  }
});

test("lines cannot be changed, exchanged, doubled or taken out", (t) => {
  const { file, read, lines } = written(t, entry({ reason: "one" }), entry(), entry());
  const [a = "", b = "", c = ""] = lines;
  const changed = a.replace('"reason":"one"', '"reason":"two"');
  const cases: [readonly string[], number][] = [
    [[changed, b, c], 0],
    [[b, a, c], 0],
    [[b, c], 0],
    [[a, c], 1],
    [[a, a, b], 1],
    [[a, b, b], 2],
  ];
  for (const [order, believed] of cases) {
    writeFileSync(file, `${order.join("\n")}\n`);
    const found = read();
    assert.deepEqual([found.entries.length, found.rejected?.lines], [believed, order.length - believed]);
  }
});

test("an entry is what it may be, even where its seal is right", (t) => {
  const { file, folder, key, read } = written(t);
  const put = (json: string): void => {
    const secret = readFileSync(join(folder, "audit-key.pem"));
    writeFileSync(file, `${sealOf(secret, "journal", `\n${json}`)} ${json}\n`);
  };
  const years = new Date(nowMs - 400 * 86_400_000).toISOString();
  const wrong: object[] = [
    { ...entry(), seq: 1 },
    { ...entry(), kind: "outcome", event: "approval.requested", actor: "human:ann" },
    { ...entry(), kind: "change", event: "token.added" },
    { ...entry(), kind: "login" },
    { ...entry(), ref: "evt_1" },
    { ...entry(), event: "no.such" },
    { ...entry(), event: "PreToolUse" },
    { ...entry(), id: "../x" },
    { ...entry(), time: years },
    { ...entry(), time: new Date(nowMs + 2 * 86_400_000).toISOString() },
    { ...entry(), time: "yesterday" },
    { ...entry(), ms: "1" },
    { ...entry(), verdict: "yes" },
    { ...entry(), handlers: [null] },
    { ...entry(), handlers: [{ ...handler(), more: 1 }] },
    { ...entry(), before: {} },
    {},
    [],
  ];
  for (const value of [...wrong, null]) {
    const json = JSON.stringify(value);
    put(json);
    const found = read();
    assert.deepEqual([found.entries, found.rejected?.lines], [[], 1], json);
  }
  put(JSON.stringify(entry()));
  assert.equal(read().entries.length, 1, "both ways to make a seal make the same");
  assert.notEqual(key.seal("journal", "x"), key.seal("late entry", "x"));
});

test("where there is none there is nothing, and what is no file is told of", (t) => {
  const { folder, key, file } = written(t);
  assert.deepEqual(readJournal(new JournalFile(join(folder, "none")), key, nowMs), {
    entries: [],
    rejected: null,
  });
  mkdirSync(join(folder, "folder"));
  assert.throws(() => readJournal(new JournalFile(join(folder, "folder")), key, nowMs), NotReadable);
  assert.deepEqual(readJournal(new JournalFile(file), key, nowMs).entries, []);
});

test("what is written after it was emptied is sealed from the beginning again", (t) => {
  const { folder, key } = new RecordBench(t);
  const file = new JournalFile(join(folder, "journal"));
  const journal = new SealedJournal(file, key);
  journal.write(entry());
  journal.trim(true);
  const [second, third] = [entry(), entry()];
  journal.write(second);
  journal.write(third);
  assert.deepEqual(readJournal(file, key, nowMs), { entries: [second, third], rejected: null });
  journal.close();
});
