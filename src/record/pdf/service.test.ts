import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { storedRecord } from "../audit/stored-record.ts";
import type { LongReads } from "../audit/thread/long-reads.ts";
import { readManifest } from "./manifest.ts";
import { anchorsOf, verifyPdf } from "./verify-pdf.ts";
import { AuditPdfService } from "./service.ts";
import { openRuntime, type Runtime } from "../../daemon/runtime/runtime.ts";

const call = { tool_name: "Bash", tool_input: { command: "ls" } };

async function opened(t: TestContext) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "swarm-pdf-")));
  const runtime = await openRuntime({ home, cwd: home, env: {}, log: { warn: assert.fail } });
  t.after(async () => {
    await runtime.close();
    rmSync(home, { recursive: true, force: true });
  });
  for (let index = 0; index < 5; index++)
    await runtime.events.emit({ event: "tool.before", data: call, origin: { cwd: home, session: "s1" } });
  const range = runtime.pdf.rangeOf({ from: "2020-01-01" });
  return { home, runtime, range, actor: "human:maria" };
}

async function rows(runtime: Runtime) {
  const found = await runtime.store.listRunEvents({ limit: 50, event: "audit.pdf" });
  return found.reverse();
}

test("it is announced, made, signed, put in place and recorded with its digest", async (t) => {
  const { home, runtime, range, actor } = await opened(t);
  const file = join(home, "report.pdf");
  const { manifest, manifest_file, problem } = await runtime.pdf.make({ range, file, actor });
  assert.equal(problem, null);
  assert.deepEqual(readManifest(file), manifest);
  assert.equal(manifest_file, `${file}.manifest.json`);
  const [intent, outcome, ...more] = await rows(runtime);
  assert.deepEqual([intent?.kind, intent?.actor, intent?.outcome, more.length], ["intent", actor, "open", 0]);
  assert.deepEqual([outcome?.kind, outcome?.ref, outcome?.outcome], ["outcome", intent?.id, "completed"]);
  assert.match(outcome?.reason ?? "", new RegExp(`^\\d+ pages, SHA-256 ${manifest.sha256}, `));
  const payload = await runtime.store.findPayload(outcome?.seq ?? 0);
  assert.deepEqual(JSON.parse(payload?.after ?? ""), manifest);
  // The intent is the newest row that is covered: everything before it was signed when it was written.
  assert.ok(manifest.head.seq >= (intent?.seq ?? 0));
  const record = await storedRecord(runtime.store, runtime.key.publicKey, anchorsOf(manifest));
  assert.deepEqual((await verifyPdf(file, manifest, record)).faults, []);
  assert.deepEqual(
    readdirSync(home)
      .filter((name) => name.startsWith("report"))
      .sort(),
    ["report.pdf", "report.pdf.manifest.json"],
  );
});

test("without a file named it goes into reports, each under a name of its own", async (t) => {
  const { home, runtime, actor } = await opened(t);
  const order = { range: runtime.pdf.rangeOf({ from: "2026-01-01", to: "2026-01-31" }), file: null, actor };
  const names = [await runtime.pdf.make(order), await runtime.pdf.make(order)].map(({ file }) => file);
  const reports = join(home, "reports");
  assert.deepEqual(names, [
    join(reports, "audit-2026-01-01--2026-01-31.pdf"),
    join(reports, "audit-2026-01-01--2026-01-31-2.pdf"),
  ]);
});

test("a preview counts and writes nothing, no row either", async (t) => {
  const { home, runtime, range } = await opened(t);
  const found = await runtime.pdf.preview({ range, file: join(home, "report.pdf") });
  assert.deepEqual([found.rows, found.denials], [5, 0]);
  assert.deepEqual([existsSync(found.file), (await rows(runtime)).length], [false, 0]);
});

test("nothing is overwritten, and a place that cannot be written to is refused before anything is announced", async (t) => {
  const { home, runtime, range, actor } = await opened(t);
  writeFileSync(join(home, "taken.pdf"), "mine");
  writeFileSync(join(home, "half.pdf.manifest.json"), "mine");
  for (const name of ["taken.pdf", "half.pdf", "no/folder.pdf"])
    await assert.rejects(runtime.pdf.make({ range, file: join(home, name), actor }), {
      code: "SWARM_PDF_UNWRITABLE",
    });
  assert.equal(readFileSync(join(home, "taken.pdf"), "utf8"), "mine");
  assert.equal((await rows(runtime)).length, 0);
});

test("one that fails or is ended halfway is recorded as failed and leaves no file", async (t) => {
  const { home, runtime, range, actor } = await opened(t);
  const abort = new AbortController();
  const file = join(home, "ended.pdf");
  const making = runtime.pdf.make({ range, file, actor, signal: abort.signal });
  setImmediate(() => abort.abort());
  await assert.rejects(making, { code: "SWARM_PDF_FAILED", message: "no PDF could be made: it was ended" });
  const [intent, outcome] = await rows(runtime);
  assert.deepEqual([outcome?.ref, outcome?.outcome], [intent?.id, "failed"]);
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith("ended")),
    [],
  );
});

test("a folder nobody may write to is told as such", {
  skip: process.getuid?.() === 0 && "root may write anywhere",
}, async (t) => {
  const { home, runtime, range, actor } = await opened(t);
  const folder = mkdtempSync(join(home, "closed-"));
  chmodSync(folder, 0o500);
  await assert.rejects(runtime.pdf.make({ range, file: join(folder, "x.pdf"), actor }), {
    code: "SWARM_PDF_UNWRITABLE",
    message: /EACCES/,
  });
});

test("a record that somebody has changed is made a PDF of that says so", async (t) => {
  const { home, runtime, actor } = await opened(t);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(home, "swarm.db"));
  database.exec("drop trigger run_events_fixed; update run_events set actor = 'x' where seq = 2");
  database.close();
  const range = runtime.pdf.rangeOf({ from: "2020-01-01" });
  const { problem, manifest } = await runtime.pdf.make({ range, file: join(home, "x.pdf"), actor });
  assert.deepEqual([problem, manifest.is_intact], ["row 2 is not what was written", false]);
});

test("it waits for its turn among what reads the whole record, and ends when its caller has gone", async (t) => {
  const { home, runtime, range } = await opened(t);
  const gone = new AbortController();
  const signals: (AbortSignal | null)[] = [];
  const { store, audit, key } = runtime;
  const inTurn: LongReads["inTurn"] = (signal, read) => {
    signals.push(signal);
    return read(signal ?? new AbortController().signal);
  };
  const pdf = new AuditPdfService({ home, store, audit, clock: systemClock, key, reads: { inTurn } });
  assert.equal((await pdf.preview({ range, file: null, signal: gone.signal })).rows > 0, true);
  assert.deepEqual(signals, [gone.signal]);
  gone.abort();
  await assert.rejects(pdf.preview({ range, file: null, signal: gone.signal }), { code: "SWARM_PDF_FAILED" });
  const made = pdf.make({ range, file: join(home, "gone.pdf"), actor: "human:ada", signal: gone.signal });
  await assert.rejects(made, { code: "SWARM_PDF_FAILED" });
  assert.equal(existsSync(join(home, "gone.pdf")), false);
  assert.equal(signals.length, 3);
});
