import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Download, Locator, Page } from "playwright-core";
import type { Manifest } from "../../src/record/pdf/manifest.ts";
import { openDashboardHere, withoutBrowser } from "./harness.ts";

const skip = withoutBrowser;
const hostile = `<img src=x onerror="alert(1)">\u202e`;
const seen = `<img src=x onerror="alert(1)">\\u{202e}`;

/** A number that moves, a category that is new, a field that is gone, one of another type. */
const records = (shift: number) =>
  Array.from({ length: 50 }, (_, n) => {
    const word = shift === 0 ? "same" : hostile;
    const rest = shift === 0 ? { gone: 1, turned: n } : { turned: "text" };
    return `${JSON.stringify({ [hostile]: n + shift, word, steady: n, ...rest })}\n`;
  }).join("");

const pipelines = `policy:
  rules:
    - { id: push, behaviour: ask, when: { command: git push }, reason: others see this }
    - { id: four-eyes, behaviour: ask, when: { tool: promote_model, args_pattern: { stage: production } } }
pipelines:
  fraud:
    data: { pattern: "*.csv" }
    steps:
      copy: { run: 'echo "<b>copied</b>"; cp "$SWARM_DATA" out', outputs: [out] }
      hold: { run: 'while test -e hold; do sleep 0.05; done', needs: [copy] }
      score: { run: 'echo "{\\"auc\\": 0.9}" > score.json', needs: [copy], metrics: score.json }
  asked:
    steps:
      push: { run: git push }
`;

/** Jobs, drift, pipelines, models and PDFs of the record. */
export function scheduledWorkCases(): void {
  suite("scheduled work in a browser", () => {
    test("a drift check appears as it is made, against its thresholds, and its report is saved", {
      skip,
    }, async (t) => {
      const { call, cwd, write, logIn, open } = await openDashboardHere(t);
      write({ "before.jsonl": records(0), "now.jsonl": records(30) });
      const page = await logIn("operator");
      await open(page, "#/drift");
      await page.getByText("Nothing was compared yet.").waitFor();
      await call("PUT", "/api/v1/baselines/payments", { source: "before.jsonl", cwd });
      await rowOf(page, "payments").getByText("50", { exact: true }).waitFor();
      const { report_path } = await call<{ report_path: string }>("POST", "/api/v1/drift/checks", {
        config: { baseline: "payments", window: "now.jsonl", thresholds: { steady: { ks: 0.4 } } },
        cwd,
        name: hostile,
      });
      const listed = rowOf(page, "4 of 5 features");
      await listed.getByText("drift", { exact: true }).waitFor();
      await listed.getByRole("link", { name: seen }).click();
      await page.getByRole("heading", { name: seen }).waitFor();
      const features = page.getByRole("table", { name: "Every feature" });
      const moved = await cellsOf(features.getByRole("row", { name: `${seen} numeric` }));
      assert.deepEqual(moved.toSpliced(2, 1), [
        `${seen}\nnumeric`,
        "0.6\nover 0.15",
        "-",
        "0 %\nlimit 10 %",
        "-",
        "drift",
      ]);
      const steady = await cellsOf(features.getByRole("row").filter({ hasText: "steady" }));
      assert.deepEqual(steady.slice(0, 2), ["steady\nnumeric", "0\nlimit 0.4"]);
      const schema = page.getByRole("table", { name: "Fields that are new, gone" });
      assert.deepEqual(await cellsOf(schema.getByRole("row").filter({ hasText: "turned" })), [
        "turned",
        "number became string",
        "yes",
      ]);
      await schema.getByText("gone: no record has a value").waitFor();
      const saved = await savedBy(page, page.getByRole("button", { name: "Download the report" }));
      assert.match(saved.name, /^drift-dr_\w+\.html$/);
      assert.deepEqual(saved.bytes, readFileSync(report_path));
      assert.equal(await page.locator("main img").count(), 0);
      const viewer = await logIn("viewer");
      await open(viewer, "#/drift");
      await viewer.getByText("Drift checks are shown to operators.").waitFor();
    });

    test("a job is run and paused here, and leads to what it found", { skip }, async (t) => {
      const { call, cwd, write, logIn, open } = await openDashboardHere(t);
      write({ "before.jsonl": records(0), "now.jsonl": records(30) });
      const page = await logIn("admin");
      await open(page, "#/jobs");
      await page.getByText("Nothing is scheduled.").waitFor();
      const name = hostile.slice(0, -1);
      const config = { baseline: "before.jsonl", window: "now.jsonl" };
      await call("POST", "/api/v1/cron/jobs", {
        name,
        schedule: "@yearly",
        task: "drift_check",
        config,
        cwd,
      });
      const job = rowOf(page, "@yearly");
      await job.getByText("never ran").waitFor();
      await job.getByRole("button", { name: "Pause" }).click();
      await job.getByText("paused", { exact: true }).waitFor();
      await job.getByRole("button", { name: "Resume" }).click();
      await job.getByRole("button", { name: "Run now" }).click();
      await job.getByRole("link", { name }).click();
      await page.getByRole("heading", { name: `${name} enabled` }).waitFor();
      await rowOf(page, "drift: ").getByText("completed", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Drift check" }).click();
      await page.getByRole("heading", { name: `${name} drift` }).waitFor();
      assert.equal(await page.locator("main img").count(), 0);
    });

    test("a pipeline is run here and followed to its version, which is promoted after an approval", {
      skip,
    }, async (t) => {
      const { call, write, logIn, open, cwd } = await openDashboardHere(t, { config: pipelines });
      write({ "a.csv": "1\n", hold: "" });
      const page = await logIn("admin");
      await open(page, "#/pipelines");
      await rowOf(page, "copy, ").getByText("no version yet").waitFor();
      await page.getByRole("button", { name: "Run fraud" }).click();
      await page.getByRole("heading", { name: "fraud running" }).waitFor();
      await rowOf(page, "hold").getByText("running", { exact: true }).waitFor();
      rmSync(join(cwd, "hold"));
      await page.getByRole("heading", { name: "fraud completed" }).waitFor();
      const done = await cellsOf(rowOf(page, "copy"));
      assert.deepEqual([done[1], done[3], done[4]], ["completed", "0", "1"]);
      await page.getByRole("link", { name: "Show what copy printed" }).click();
      await page.locator("pre").filter({ hasText: "<b>copied</b>" }).waitFor();

      await open(page, "#/pipelines");
      await page.getByRole("button", { name: "Run fraud" }).click();
      await page.getByRole("heading", { name: "fraud completed" }).waitFor();
      await rowOf(page, "copy")
        .getByText(/^unchanged since pr_\w+$/)
        .waitFor();

      await open(page, "#/pipelines");
      await page.getByRole("button", { name: "Run asked" }).click();
      await page.getByText("A step waits for an approval. others see this").waitFor();
      await decide(call, "denied");
      await page.getByRole("heading", { name: "asked failed" }).waitFor();

      await open(page, "#/pipelines");
      await page.getByRole("link", { name: "fraud 2" }).click();
      await page.getByRole("heading", { name: "Version 2" }).waitFor();
      const digest = createHash("sha256").update("1\n").digest("hex");
      assert.equal(await page.locator("dd").getByText(digest).count(), 1);
      await page.getByRole("row", { name: "score.auc 0.9", exact: true }).waitFor();
      await page.getByRole("combobox", { name: "Stage" }).fill("production");
      await page.keyboard.press("Enter");
      await page.getByText("An approval is needed.").waitFor();
      await decide(call, "approved");
      await page.getByRole("button", { name: "Promote version 2 of fraud" }).click();
      await page.getByText("Version 2 stands at production.").waitFor();
      const stands = page.getByRole("table", { name: "Which version" }).locator("tbody tr");
      await stands.waitFor(); // the page reads it once the promotion is answered
      const stage = await cellsOf(stands);
      assert.deepEqual([stage[0], stage[1]], ["production", "2"]);
      assert.match(stage[4] ?? "", /^human:/);

      const viewer = await logIn("viewer");
      await open(viewer, "#/models/fraud?version=1");
      await viewer.getByText("An admin can promote this version to a stage.").waitFor();
      assert.equal(await viewer.locator("main").getByRole("button").count(), 0);
    });

    test("a PDF of the record is made here and saved with its manifest, also by a viewer", {
      skip,
    }, async (t) => {
      const { logIn, open } = await openDashboardHere(t);
      const page = await logIn("admin");
      await open(page, "#/pdf");
      await page.getByText("No PDF is kept.").waitFor();
      await page.getByLabel("First day, UTC").fill("2026-01-31");
      await page.getByLabel("Last day, UTC").fill("2026-01-01");
      await page.getByRole("button", { name: "Make the PDF" }).click();
      await page.getByText("expected not to be before from").waitFor();
      await page.getByLabel("First day, UTC").fill("2026-01-01");
      await page.getByLabel("Last day, UTC").fill("2026-01-31");
      await page.getByRole("button", { name: "Make the PDF" }).click();
      await page.getByText("0 rows, 2026-01-01 to 2026-01-31.").waitFor();

      const viewer = await logIn("viewer");
      await open(viewer, "#/pdf");
      await viewer.getByText("An admin can make one.").waitFor();
      const kept = rowOf(viewer, "2026-01-01 to 2026-01-31");
      const pdf = await savedBy(viewer, kept.getByRole("button", { name: "PDF" }));
      const beside = await savedBy(viewer, kept.getByRole("button", { name: "Manifest" }));
      const { sha256, file } = JSON.parse(beside.bytes.toString()) as Manifest;
      assert.deepEqual([pdf.name, beside.name], [file, `${file}.manifest.json`]);
      assert.equal(createHash("sha256").update(pdf.bytes).digest("hex"), sha256);
      assert.equal(await viewer.evaluate("document.activeElement.textContent"), "Manifest");
    });
  });
}

type Here = Awaited<ReturnType<typeof openDashboardHere>>;

/** The one question there is. */
async function decide(call: Here["call"], decision: string): Promise<void> {
  const { items } = await call<{ items: { id: string }[] }>("GET", "/api/v1/approvals?status=pending");
  assert.equal(items.length, 1);
  await call("POST", `/api/v1/approvals/${items[0]?.id}/decision`, { decision });
}

function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

function cellsOf(row: Locator): Promise<string[]> {
  return row.locator("td").allInnerTexts();
}

async function savedBy(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const saving: Promise<Download> = page.waitForEvent("download");
  await button.click();
  const download = await saving;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
