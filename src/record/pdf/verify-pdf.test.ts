import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { exportedRecord, exportLines } from "../audit/export.ts";
import { RecordBench, readRows, rehash, replaceRows } from "../audit/harness.cases.ts";
import { SigningKey } from "../audit/signing-key.ts";
import { storedRecord } from "../audit/stored-record.ts";
import { at, denial, january, madeFrom, month } from "./harness.cases.ts";
import { type Manifest, manifestName, manifestText, readManifest, signedManifest } from "./manifest.ts";
import type { PdfRange } from "./range.ts";
import { anchorsOf, type PdfVerification, verifyPdf } from "./verify-pdf.ts";

/** A record, a PDF of it and its manifest. */
async function report(t: TestContext) {
  const bench = new RecordBench(t);
  await bench.recorded(month(2));
  return { bench, ...(await reportOf(bench, january, "report.pdf")) };
}

async function reportOf(bench: RecordBench, range: PdfRange, name: string) {
  const { file, sha256, bytes, pages, summary } = await madeFrom(bench, range, name);
  const store = bench.open();
  const head = (await store.signedHead()) ?? assert.fail("nothing was signed");
  await store.close();
  const { rows, first, last, rowsDigest: rows_sha256 } = summary;
  const told = { file: name, sha256, bytes, pages, version: "1.0.0", range, rows, first, last };
  const manifest = signedManifest({ ...told, rows_sha256, is_intact: true, head }, bench.key);
  writeFileSync(manifestName(file), manifestText(manifest));
  return { file, manifest };
}

async function verified(
  bench: RecordBench,
  file: string,
  key = bench.key.publicKey,
): Promise<PdfVerification> {
  const store = bench.open();
  const manifest = readManifest(file);
  const found = await verifyPdf(file, manifest, await storedRecord(store, key, anchorsOf(manifest)));
  await store.close();
  return found;
}

const kinds = ({ faults }: PdfVerification): string[] => [...new Set(faults.map(({ kind }) => kind))];

test("a PDF, its manifest and the record agree, also when the record has grown since", async (t) => {
  const { bench, file, manifest } = await report(t);
  const found = await verified(bench, file);
  assert.deepEqual(found.faults, []);
  assert.deepEqual([found.is_intact, found.rows, found.head_seq], [true, manifest.rows, manifest.head.seq]);
  await bench.recorded([denial(at(15), "late", "written afterwards, with a time in the range")]);
  assert.deepEqual((await verified(bench, file)).faults, []);
});

test("one changed byte of the PDF is found, wherever it is", async (t) => {
  const { bench, file } = await report(t);
  const bytes = readFileSync(file);
  for (const place of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    writeFileSync(file, changed);
    const found = await verified(bench, file);
    assert.deepEqual([found.is_intact, kinds(found)], [false, ["pdf"]]);
    assert.match(
      found.faults[0]?.problem ?? "",
      /^the file is not the one the manifest is of: SHA-256 [0-9a-f]{64}/,
    );
  }
});

test("the manifest of another PDF, signed by the same key, does not fit", async (t) => {
  const { bench, file } = await report(t);
  const week = { ...january, to: "2026-01-08T00:00:00.000Z" };
  const { manifest: other } = await reportOf(bench, week, "week.pdf");
  writeFileSync(manifestName(file), manifestText(other));
  assert.deepEqual(kinds(await verified(bench, file)), ["pdf"]);
});

test("no field of a manifest can be changed", async (t) => {
  const { bench, file, manifest } = await report(t);
  const changes: Partial<Manifest>[] = [
    { rows: manifest.rows - 1 },
    { pages: 1 },
    { range: { ...manifest.range, from: "2026-01-02T00:00:00.000Z" } },
    { first: null },
    { version: "9" },
    { is_intact: false },
    { head: { ...manifest.head, time: "2020-01-01T00:00:00.000Z" } },
    { file: "other.pdf" },
  ];
  for (const change of changes) {
    writeFileSync(manifestName(file), manifestText({ ...manifest, ...change }));
    const found = await verified(bench, file);
    assert.ok(kinds(found).includes("manifest"), JSON.stringify(change));
  }
});

test("somebody else's key signs nothing here, even with everything else in order", async (t) => {
  const { bench, file, manifest } = await report(t);
  const other = new SigningKey(join(bench.folder, "other.pem"));
  const { format: _, public_key: __, signature: ___, ...told } = manifest;
  writeFileSync(manifestName(file), manifestText(signedManifest(told, other)));
  const found = await verified(bench, file);
  assert.deepEqual(kinds(found), ["manifest"]);
  assert.match(found.faults[0]?.problem ?? "", /not signed by key [0-9a-f]{16}$/);
});

test("a record that lost rows of the range, or has others in their place, is found", async (t) => {
  const cut = await report(t);
  cut.bench.tamper((database) => database.exec("delete from run_events where seq = 20"));
  const lost = await verified(cut.bench, cut.file);
  assert.deepEqual(kinds(lost), ["rows"]);
  assert.ok(lost.faults.some(({ problem }) => problem === "row 20 is missing before row 21"));
  assert.ok(lost.faults.some(({ problem }) => /^the rows of its range are not those/.test(problem)));

  const rewritten = await report(t);
  rewritten.bench.tamper((database) => {
    const rows = readRows(database).map((row) => (row.seq === 9 ? { ...row, actor: "human:nobody" } : row));
    replaceRows(database, rehash(rows, 9));
  });
  const found = await verified(rewritten.bench, rewritten.file);
  assert.deepEqual(kinds(found), ["rows"]);
  assert.ok(found.faults.some(({ problem }) => /is not the one that was anchored/.test(problem)));
});

test("a record with another history is found even if the same key has signed it", async (t) => {
  const { bench, file } = await report(t);
  const other = new RecordBench(t);
  await other.recorded(month(1));
  const store = other.open();
  const head = (await store.signedHead()) ?? assert.fail("nothing was signed");
  await store.saveSignedHead(bench.key.sign(head, head.time));
  const manifest = readManifest(file);
  const record = await storedRecord(store, bench.key.publicKey, anchorsOf(manifest));
  assert.deepEqual(
    kinds(await verifyPdf(file, manifest, { ...record, signedHead: () => bench.key.sign(head, head.time) })),
    ["rows"],
  );
});

test("an export stands for the record it was made from", async (t) => {
  const { bench, file } = await report(t);
  const exported = join(bench.folder, "audit.jsonl");
  const store = bench.open();
  let text = "";
  for await (const line of exportLines(store, bench.key.publicKey)) text += line;
  writeFileSync(exported, text);
  const manifest = readManifest(file);
  const record = () => exportedRecord(exported, bench.key.publicKey, anchorsOf(manifest));
  assert.deepEqual((await verifyPdf(file, manifest, await record())).faults, []);
  writeFileSync(exported, text.replace("no deployments on weekends", "no deployments on weekdays"));
  assert.deepEqual(kinds(await verifyPdf(file, manifest, await record())), ["rows"]);
});

test("what is no manifest, or not written as one is, is refused by name", async (t) => {
  const { file, manifest } = await report(t);
  const refused = (text: string, message: RegExp): void => {
    writeFileSync(manifestName(file), text);
    assert.throws(() => readManifest(file), { code: "SWARM_MANIFEST_UNREADABLE", message });
  };
  refused("", /it is no manifest of a PDF$/);
  refused("[]", /it is no manifest, expected "format"/);
  refused(JSON.stringify({ format: manifest.format }), /it is no manifest of a PDF$/);
  refused(
    manifestText(manifest).replace('"pages"', '"pages": 1,\n  "pages"'),
    /it is not written as a manifest is$/,
  );
  refused(manifestText({ ...manifest, more: 1 } as Manifest), /it is not written as a manifest is$/);
  assert.throws(() => readManifest(`${file}.none`), { code: "SWARM_MANIFEST_UNREADABLE", message: /ENOENT/ });
});
