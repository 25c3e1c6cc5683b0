import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite, test } from "node:test";
import type { MadePdf, PdfPreview } from "./service.ts";
import { auditPdfRoutes } from "./routes.ts";
import { openApp, savingHeaders } from "../../daemon/server/harness.cases.ts";
import type { Problem } from "../../daemon/rest/problem.ts";
import { roleFor } from "../../daemon/rest/route.ts";
import { routes } from "../../daemon/server/routes.ts";

const path = "/api/v1/audit/pdf";
const kept = "/api/v1/audit/pdfs";
/** As somebody would write them who wants another file. */
const paths = [
  "..%2Faudit-key",
  "..%2F..%2Fetc%2Fpasswd",
  "audit-..%2F..%2Fswarm.db",
  "audit-a%00",
  "%2e%2e",
];
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

    test("one that is kept is listed and got with its manifest, byte for byte or in part", async (t) => {
      const { app, call, home, cwd, runtime } = await openApp(t);
      assert.deepEqual((await call("GET", kept)).body, { items: [], unusable: 0 });
      const { body: made } = await call<MadePdf>("POST", path, { from: "2020-01-01" });
      const elsewhere = { from: "2020-01-01", output: join(cwd, "audit-x.pdf") };
      assert.equal((await call<MadePdf>("POST", path, elsewhere)).body.id, null);
      const listed = await call<{ items: readonly { id: string; file: string; sha256: string }[] }>(
        "GET",
        kept,
      );
      assert.deepEqual(
        listed.body.items.map(({ id, file, sha256 }) => [id, file, sha256]),
        [[made.id, made.file, made.manifest.sha256]],
      );
      const get = (at: string, headers = {}, method = "GET") =>
        app.request(`${kept}/${made.id}${at}`, { method, headers: { host: "localhost", ...headers } });
      const whole = await get("");
      assert.deepEqual(Buffer.from(await whole.arrayBuffer()), readFileSync(made.file));
      assert.deepEqual(savingHeaders(whole), {
        "content-type": "application/pdf",
        "content-length": String(made.manifest.bytes),
        "content-disposition": `attachment; filename="${basename(made.file)}"`,
        "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
      const part = await get("", { range: "bytes=0-4" });
      assert.deepEqual([part.status, await part.text()], [206, "%PDF-"]);
      const head = await get("", {}, "HEAD");
      assert.deepEqual([head.status, await head.text()], [200, ""]);
      assert.equal(await (await get("/manifest")).text(), readFileSync(made.manifest_file, "utf8"));
      assert.equal((await get("", { "if-none-match": `"${made.manifest.sha256}"` })).status, 304);
      // The same once more as the document says it, which counts both as called.
      await call("GET", `${kept}/${made.id}`);
      await call("GET", `${kept}/${made.id}/manifest`);

      const reports = join(home, "reports");
      copyFileSync(made.file, join(cwd, "elsewhere.pdf"));
      symlinkSync(join(cwd, "elsewhere.pdf"), join(reports, "audit-link.pdf"));
      copyFileSync(made.manifest_file, join(reports, "audit-link.pdf.manifest.json"));
      writeFileSync(join(reports, "audit-bare.pdf"), "%PDF-");
      appendFileSync(made.file, "x");
      const after = await call<{ items: readonly unknown[]; unusable: number }>("GET", kept);
      assert.deepEqual(after.body, { items: [], unusable: 2 });
      const named = ["audit-link.pdf", "audit-bare.pdf"].map((name) =>
        runtime.pdf.kept.idOf(join(reports, name)),
      );
      for (const at of ["", "/manifest"]) {
        for (const id of [...named, made.id, "pdf_1", basename(made.file, ".pdf")]) {
          const { status, body } = await call<Problem>("GET", `${kept}/${id}${at}`);
          assert.deepEqual([status, body.code], [404, "SWARM_PDF_UNKNOWN"], `${id}${at}`);
        }
        for (const id of paths) assert.ok((await call("GET", `${kept}/${id}${at}`)).status >= 400, id);
      }
    });

    test("one is written as the daemon's user by an admin, and read by whoever reads the record", () => {
      const roles = Object.entries(auditPdfRoutes).map(([name, operation]) => [name, roleFor(operation)]);
      assert.deepEqual(Object.fromEntries(roles), {
        makeAuditPdf: "admin",
        previewAuditPdf: "admin",
        listAuditPdfs: roleFor(routes.listEvents),
        getAuditPdf: roleFor(routes.showEvent),
        getAuditPdfManifest: roleFor(routes.showEvent),
      });
    });
  });
}
