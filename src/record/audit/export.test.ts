import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { RunEvent } from "../port/run-event.ts";
import type { Head, SignedHead } from "../../store/port/store.ts";
import { exportedRecord, exportLines } from "./export.ts";
import { fifty, RecordBench, rehash } from "./harness.cases.ts";
import { type PublicKey, SigningKey } from "./signing-key.ts";
import { type Fault, type Verification, verifyRecord } from "./verify.ts";

type Line = Record<string, unknown>;

/** An export as lines, to be changed and verified. */
class ExportBench extends RecordBench {
  readonly exported = join(this.folder, "audit.jsonl");

  static async recorded(t: TestContext): Promise<ExportBench> {
    const bench = new ExportBench(t);
    await bench.recorded(fifty);
    await bench.export();
    return bench;
  }

  async export(): Promise<void> {
    const store = this.open();
    let lines = "";
    for await (const line of exportLines(store, this.key.publicKey)) lines += line;
    writeFileSync(this.exported, lines);
    await store.close();
  }

  /** The line feed at the end of the last line makes an empty one. */
  get lines(): string[] {
    return readFileSync(this.exported, "utf8").split("\n").slice(0, -1);
  }

  set lines(lines: readonly string[]) {
    writeFileSync(this.exported, lines.map((line) => `${line}\n`).join(""));
  }

  /** Changes one line; the first is number 1. */
  change(number: number, change: (line: Line) => void): void {
    this.lines = this.lines.map((text, at) => {
      if (at + 1 !== number) return text;
      const line = JSON.parse(text) as Line;
      change(line);
      return JSON.stringify(line);
    });
  }

  async check(pinned: PublicKey | null = null, anchors: readonly Head[] = []): Promise<Verification> {
    return verifyRecord(await exportedRecord(this.exported, pinned, anchors));
  }

  async faults(pinned: PublicKey | null = null): Promise<[Fault["kind"], number][]> {
    return (await this.check(pinned)).faults.map(({ kind, seq }) => [kind, seq]);
  }
}

/** Row 25 stands in line 26, after the line that tells what the file is. */
const middle = 25;
const middleLine = 26;

test("an export is verified without the store it came from, with the file's own key or one that is given", async (t) => {
  const bench = await ExportBench.recorded(t);
  const intact = {
    is_intact: true,
    rows: 50,
    last_seq: 50,
    signed_seq: 50,
    unsigned_rows: 0,
    key_id: bench.key.publicKey.id,
    open_intents: ["evt_48"],
    payloads_checked: 41,
    acceptances: [],
    faults: [],
  };
  assert.deepEqual(await bench.check(), intact);
  assert.deepEqual(await bench.check(bench.key.publicKey), intact);
  assert.equal(bench.lines.length, 52);
});

test("an export holds what the store holds and nothing that nobody has signed", async (t) => {
  const bench = await ExportBench.recorded(t);
  const before = bench.lines;
  const store = bench.open();
  const crashed = bench.recorder(store);
  await crashed.record({ ...(fifty[0] ?? assert.fail()), id: "evt_unsigned" });
  const rows = await store.readRunEvents(0, 100);
  await store.close();
  await bench.export();
  assert.deepEqual(bench.lines, before);
  const exported = bench.lines.slice(1, -1).map((line) => JSON.parse(line) as Line);
  assert.deepEqual(
    exported.map(({ payload: _payload, ...row }) => row),
    rows.slice(0, 50),
  );
  assert.deepEqual(exported[0]?.payload, { before: '{"n":0}', after: '{"n":0}' });
});

test("a record without rows is exported and verified once it is signed as such", async (t) => {
  const bench = new ExportBench(t);
  const store = bench.open();
  await bench.export();
  assert.deepEqual(await bench.faults(), [["truncated", 1]], "nothing vouches for it");
  await store.saveSignedHead(bench.key.sign(await store.head(), "2026-01-01T00:00:00.000Z"));
  await bench.export();
  const { is_intact, rows } = await bench.check();
  assert.deepEqual({ is_intact, rows }, { is_intact: true, rows: 0 });
});

test("an edit of any field of a row is found", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  const fields = Object.keys(JSON.parse(whole[middleLine - 1] ?? "") as Line).filter(
    (field) => field !== "payload",
  );
  assert.equal(fields.length, 23);
  for (const field of fields.filter((each) => each !== "seq")) {
    bench.lines = whole;
    bench.change(middleLine, (row) => {
      row[field] = field === "handlers" ? [] : `${String(row[field])}x`;
    });
    assert.ok(
      (await bench.faults()).some(([kind, seq]) => kind === "edited" && seq === middle),
      field,
    );
  }
});

test("a field that was taken out of a row is found, one that was null too", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  for (const field of ["ref", "reason", "verdict", "hash"]) {
    bench.lines = whole;
    bench.change(middleLine + 1, (row) => delete row[field]);
    assert.ok(
      (await bench.faults()).some(([kind, seq]) => kind === "edited" && seq === middle + 1),
      field,
    );
  }
});

test("a field that was added to a row is found: no hash vouches for it", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.change(middleLine, (row) => {
    row.approved_by = "human:boss";
  });
  assert.deepEqual(await bench.faults(), [["edited", middle]]);
});

test("a field that stands twice in a line is refused: others may read the first one", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.lines = bench.lines.map((line, at) =>
    at === middle ? line.replace("{", '{"verdict":"allow",') : line,
  );
  await assert.rejects(bench.check(), /line 26 is not written as an export writes it/);
});

test("a line that was deleted is found", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.lines = bench.lines.toSpliced(middle, 1);
  assert.deepEqual(await bench.faults(), [["missing", middle]]);
});

test("lines that changed places are found", async (t) => {
  const bench = await ExportBench.recorded(t);
  const { lines } = bench;
  bench.lines = lines.with(middle, lines[middle + 1] ?? "").with(middle + 1, lines[middle] ?? "");
  assert.deepEqual(await bench.faults(), [
    ["missing", middle],
    ["reordered", middle],
    ["missing", middle + 1],
  ]);
});

test("a line that stands twice is found", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.lines = bench.lines.toSpliced(middle, 0, bench.lines[middle] ?? "");
  assert.deepEqual(await bench.faults(), [["reordered", middle]]);
});

test("a file that was cut at a line is found, wherever that was", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  for (let keep = 1; keep < whole.length; keep++) {
    bench.lines = whole.slice(0, keep);
    assert.deepEqual(await bench.faults(), [["truncated", keep]]);
  }
  bench.lines = [];
  await assert.rejects(bench.check(), /line 1 is not the head of an export/);
});

test("rows that were cut out before the signed head are found", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.lines = bench.lines.toSpliced(41, 10);
  assert.deepEqual((await bench.check()).faults, [
    { kind: "truncated", seq: 41, problem: "rows 41 to 50 are missing at the end" },
  ]);
});

test("a file that was cut within a line is refused by that line, wherever that was", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = readFileSync(bench.exported);
  for (let end = whole.length - 2; end > 0; end -= 97) {
    if (whole[end - 1] === 10) continue;
    writeFileSync(bench.exported, whole.subarray(0, end));
    const number = whole.subarray(0, end).toString("latin1").split("\n").length;
    const isComplete = whole[end] === 10;
    if (isComplete) assert.deepEqual((await bench.faults())[0]?.[0], "truncated");
    else
      await assert.rejects(bench.check(), {
        code: "SWARM_EXPORT_UNREADABLE",
        message: new RegExp(`: line ${number} `),
      });
  }
});

test("a suffix that was rewritten, every hash of it right, is found by the signature", async (t) => {
  const bench = await ExportBench.recorded(t);
  bench.lines = withRows(bench.lines, (rows) => rehash(rows.map(edited), middle));
  assert.deepEqual(await bench.faults(), [["rewritten", 50]]);
  assert.deepEqual(await bench.faults(bench.key.publicKey), [["rewritten", 50]]);
});

test("a rewritten suffix that was signed with another key is found by whoever knows the right one", async (t) => {
  const bench = await ExportBench.recorded(t);
  const other = new SigningKey(join(bench.folder, "other.pem"));
  bench.lines = withRows(bench.lines, (rows) => rehash(rows.map(edited), middle));
  const last = JSON.parse(bench.lines.at(-2) ?? "") as RunEvent;
  bench.change(52, (line) => {
    line.head = other.sign(last, "2026-01-01T00:00:00.000Z");
  });
  assert.deepEqual(await bench.faults(bench.key.publicKey), [["unsigned", 50]]);
  assert.deepEqual(
    await bench.faults(),
    [["unsigned", 50]],
    "the file names another key than the one that signed",
  );
  bench.change(1, (line) => {
    line.public_key = other.publicKey.pem;
  });
  assert.deepEqual(await bench.faults(bench.key.publicKey), [["unsigned", 50]]);
  // Consistent in itself: only a key that is known from elsewhere tells, and the answer names the key it is good for.
  const { is_intact, key_id } = await bench.check();
  assert.deepEqual([is_intact, key_id], [true, other.publicKey.id]);
});

test("rows that were added are found, before the signed head and after it", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  const last = JSON.parse(whole[50] ?? "") as RunEvent;
  const [forged] = rehash([{ ...last, seq: 51, id: "evt_forged", prev_hash: last.hash }], 51);
  bench.lines = whole.toSpliced(51, 0, JSON.stringify(forged));
  assert.ok((await bench.faults()).some(([kind, seq]) => kind === "unsigned" && seq === 51));
  bench.lines = [...whole, JSON.stringify(forged)];
  await assert.rejects(bench.check(), /line 53 stands after the signed head/);
  bench.lines = [...whole, whole[51] ?? ""];
  await assert.rejects(bench.check(), /line 53 stands after the signed head/);
});

test("a payload that was edited is found, one that was taken out is taken for expired", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  bench.change(middleLine, (row) => {
    row.payload = { before: "{}", after: null };
  });
  assert.deepEqual(await bench.faults(), [["payload", middle]]);
  bench.lines = whole;
  bench.change(middleLine, (row) => delete row.payload);
  assert.deepEqual(await bench.faults(), []);
});

test("an older export is found by an anchor", async (t) => {
  const bench = await ExportBench.recorded(t);
  const rows = await bench.recorded([{ ...(fifty[0] ?? assert.fail()), id: "evt_51" }]);
  const { faults } = await bench.check(null, rows);
  assert.deepEqual(
    faults.map(({ kind, seq }) => [kind, seq]),
    [["truncated", 51]],
  );
});

test("what is no export is refused, and why", async (t) => {
  const bench = await ExportBench.recorded(t);
  const whole = bench.lines;
  const head = (JSON.parse(whole[51] ?? "") as { head: SignedHead }).head;
  const row = JSON.parse(whole[middle] ?? "") as Line;
  const cases: readonly [string, number, unknown][] = [
    ["line 1 is not the head of an export", 1, { format: "swarm-hooks audit 2" }],
    ["line 1 has a public_key that is none", 1, { ...JSON.parse(whole[0] ?? ""), public_key: "none" }],
    ["line 1 has a public_key that is none", 1, { ...JSON.parse(whole[0] ?? ""), public_key: 7 }],
    ["line 26 is not a row", 26, {}],
    ["line 26 is not a row", 26, { ...row, seq: "25" }],
    ["line 26 is not a row", 26, { ...row, handlers: {} }],
    ["line 26 is not a row", 26, { ...row, payload: "text" }],
    ["line 26 is not a row", 26, { ...row, payload: {} }],
    ["line 26 is not a row", 26, { ...row, payload: { before: 1, after: null } }],
    ["line 26 is not a row", 26, { ...row, payload: { before: null, after: null, more: "x" } }],
    ["line 26 is not a JSON object", 26, []],
    ["line 26 is not a JSON object", 26, null],
    ["line 52 is not a signed head", 52, { head: 5 }],
    ["line 52 is not a signed head", 52, { head: { ...head, signature: null } }],
    ["line 52 is not a signed head", 52, { head: { ...head, seq: "50" } }],
    ["line 52 is not a signed head", 52, { head: { ...head, more: 1 } }],
  ];
  for (const [problem, number, value] of cases) {
    bench.lines = whole.with(number - 1, JSON.stringify(value));
    await assert.rejects(bench.check(), {
      code: "SWARM_EXPORT_UNREADABLE",
      message: new RegExp(`: ${problem}`),
    });
  }
  await assert.rejects(exportedRecord(join(bench.folder, "none.jsonl"), null, []), {
    code: "SWARM_EXPORT_UNREADABLE",
    message: /none\.jsonl: .*ENOENT/,
  });
  await assert.rejects(exportedRecord(bench.folder, null, []), { code: "SWARM_EXPORT_UNREADABLE" });
});

test("whatever a text holds, its line stays one line", async (t) => {
  const bench = new ExportBench(t);
  const texts = [
    "\u2028 and \u2029",
    "\r\n",
    "\u0085",
    "\ud800",
    "\u0000",
    "x".repeat(3_000_000),
    "é".repeat(700_001),
    '"}\n{"head":null}',
  ];
  const told = texts.map((text, at) => ({
    ...(fifty[0] ?? assert.fail()),
    id: `evt_${at}`,
    reason: text,
    before: text,
  }));
  await bench.recorded(told);
  await bench.export();
  const { faults, rows } = await bench.check();
  assert.deepEqual([faults, rows], [[], texts.length]);
});

function edited(row: RunEvent): RunEvent {
  return row.seq === middle ? { ...row, reason: "was fine" } : row;
}

function withRows(lines: readonly string[], change: (rows: RunEvent[]) => RunEvent[]): string[] {
  const [first = "", ...others] = lines;
  const last = others.pop() ?? "";
  const whole = others.map((line) => JSON.parse(line) as RunEvent & { payload?: unknown });
  const rows = change(whole.map(({ payload: _payload, ...row }) => row));
  const written = rows.map((row, at) => JSON.stringify({ ...row, payload: whole[at]?.payload }));
  return [first, ...written, last];
}
