import assert from "node:assert/strict";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readManifest } from "../../../record/pdf/manifest.ts";
import { taskCall, taskCases } from "../port/task.cases.ts";
import { openRuntime, type Runtime } from "../../../daemon/runtime/runtime.ts";
import { auditPdfTask } from "./audit-pdf.ts";

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "swarm-pdf-")));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The kind on a record of its own; the record is opened when it is first written to. */
function kindIn(t: TestContext, home = folder(t)) {
  let opened: Promise<Runtime> | null = null;
  t.after(async () => (await opened)?.close());
  const open = () => (opened ??= openRuntime({ home, cwd: home, env: {}, log: { warn: assert.fail } }));
  return auditPdfTask({
    previewPdf: async (range) => (await open()).pdf.preview({ range, file: null }),
    reports: join(home, "reports"),
    now: () => Date.parse("2026-01-02T03:00:00Z"),
    async makePdf(order) {
      const runtime = await open();
      await runtime.events.emit({
        event: "notification",
        data: { message: "hi", level: "info" },
        origin: { cwd: home, task: "cr_0" },
      });
      return runtime.pdf.makeNamed(order);
    },
  });
}

taskCases({
  name: "audit_pdf",
  kind: kindIn,
  folder,
  completes: { from: "2026-01-01", rows: "all" },
  fails: null, // it throws, which tells the reason as well
  endless: null,
  refused: [
    [{ kind: "run" }, "run_id"],
    [{ from: "2026-02-30" }, "from"],
    [{ from: "2026-02-01", to: "2026-01-01" }, "to"],
    [{ days: 0 }, "days"],
    [{ output: "reports" }, "output"],
    [{ kind: "rollup", run_id: "cr_1" }, "run_id"],
  ],
});

test("the file has the name of its days and its run, and a manifest beside it", async (t) => {
  const output = join(folder(t), "not", "there", "yet");
  const { call, printed } = taskCall("/", { attempt: 2 });
  await kindIn(t).run({ days: 1, output }, call);
  const file = join(output, "audit-2026-01-01--2026-01-01-cr_1-2.pdf");
  const { pages, rows, sha256, range } = readManifest(file);
  assert.equal(printed(), `${file}\n${pages} pages, ${rows} rows, SHA-256 ${sha256}\n`);
  // Counted back from when it was due, in January 2026.
  assert.deepEqual([range.from, range.to], ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]);
});

test("what a run would do is told, and none of it done", async (t) => {
  const home = folder(t);
  assert.deepEqual(await kindIn(t, home).plan({ days: 1 }), [
    `writes ${join(home, "reports", "audit-2026-01-01--2026-01-01-RUN_ID.pdf")} and its manifest`,
    "of 2026-01-01 to 2026-01-01, if it were due now: 0 rows, 0 denials so far",
  ]);
  assert.equal(existsSync(join(home, "reports")), false);
});

test("a run that is ended leaves nothing behind, nor does one of a run nobody knows", async (t) => {
  const output = folder(t);
  const kind = kindIn(t);
  const signal = AbortSignal.abort();
  await assert.rejects(kind.run({ from: "2026-01-01", output }, taskCall("/", { signal }).call), {
    code: "SWARM_PDF_FAILED",
  });
  await assert.rejects(kind.run({ run_id: "cr_none", output }, taskCall("/").call), {
    code: "SWARM_PDF_RUN_UNKNOWN",
    message: 'the record has no rows of run "cr_none"',
  });
  await kind.run({ run_id: "cr_0", output }, taskCall("/").call);
  assert.ok(existsSync(join(output, "audit-run-cr_0-cr_1.pdf")));
});
