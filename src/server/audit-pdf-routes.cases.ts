import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { MadePdf, PdfPreview } from "../runtime/audit-pdf-desk.ts";
import { auditPdfRoutes } from "./audit-pdf-routes.ts";
import { openApp } from "./harness.cases.ts";
import type { Problem } from "./problem.ts";
import { roleFor } from "./route.ts";

const path = "/api/v1/audit/pdf";
const note = { event: "notification", data: { message: "hi", level: "info" } };

/** The record as a PDF, over REST. */
export function auditPdfRouteCases(): void {
  suite("the record as a PDF", () => {
    test("one is previewed, made where it was asked for, and told with its manifest", async (t) => {
      const { call, cwd } = await openApp(t);
      await call("POST", "/api/v1/events", note);
      const output = join(cwd, "report.pdf");
      const query = `from=2020-01-01&output=${encodeURIComponent(output)}`;
      const preview = await call<PdfPreview>("GET", `${path}?${query}`);
      assert.deepEqual([preview.status, preview.body.file, preview.body.rows], [200, output, 1]);
      assert.equal(existsSync(output), false);
      const { status, body } = await call<MadePdf>("POST", path, { from: "2020-01-01", output });
      assert.deepEqual([status, body.file, body.problem], [200, output, null]);
      assert.deepEqual([existsSync(output), existsSync(body.manifest_file)], [true, true]);
      assert.ok(body.manifest.rows >= 1);
    });

    test("what is no range or no place is refused by its field", async (t) => {
      const { call } = await openApp(t);
      for (const [body, option] of [
        [{ from: "2026-02-30" }, "from"],
        [{ kind: "run" }, "run_id"],
        [{ days: "7" }, "days"],
        [{ from: "2026-01-01", output: "relative.pdf" }, "output"],
        [{ from: "2026-01-01", form: "x" }, "form"],
      ] as const) {
        const { status, body: problem } = await call<Problem>("POST", path, body);
        assert.equal(status, 400, option);
        assert.match(problem.detail, new RegExp(`\\b${option}\\b`));
      }
      const { status, body } = await call<Problem>("POST", path, { run_id: "cr_none" });
      assert.deepEqual([status, body.code], [404, "SWARM_PDF_RUN_UNKNOWN"]);
    });

    test("it writes files as the daemon's user, and is an admin's", () => {
      for (const route of Object.values(auditPdfRoutes)) assert.equal(roleFor(route), "admin");
    });
  });
}
