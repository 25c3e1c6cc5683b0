import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReportedRun, reportPage } from "./page.ts";

const hostile = `</style></svg><script>alert("1")</script><img src=x onerror='alert(1)'>\u202e\u001b[31m&amp;`;

const run = (text: string): ReportedRun => ({
  run_id: "br_1",
  name: text,
  state: "completed",
  processor: text,
  input: text,
  output: text,
  done_count: 12_345,
  failed_count: 6,
  duration_s: 12.3,
});

const stats = (text: string) => ({
  records_per_s: 1003.6,
  error_classes: { [text]: 6 },
  latency_ms: { p50: 0.01, p90: 0.1, max: 12 },
  throughput: { interval_ms: 1000, records: [900, 1100, 1000] },
  metrics: {
    task: "classification",
    model: { path: text, workers: 2 },
    warnings: [text],
    accuracy: 0.9,
    roc_auc: 0.95,
    roc_auc_error: 0.001,
    curves: {
      roc: [
        [0, 0],
        [0.1, 0.8],
        [1, 1],
      ],
      pr: [
        [0.5, 1],
        [1, 0.2],
      ],
    },
    calibration: { expected_error: 0.1, bins: [{ count: 3, mean_score: 0.2, positive_share: 0.3 }] },
    score_histogram: [{ from: 0, to: 1, unlabelled: 1, negative: 2, positive: 3 }],
    confusion_matrix: {
      classes: [text, "yes"],
      rows: [
        [5, 1],
        [2, 7],
      ],
    },
  },
});

test("whatever names say is text on the page, and nothing else", () => {
  const page = reportPage(run(hostile), stats(hostile), "2026-01-01T00:00:00.000Z");
  const tags = new Set([...page.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, tag]) => tag));
  for (const tag of ["script", "img", "iframe", "link", "a"]) assert.equal(tags.has(tag), false, tag);
  assert.equal(page.match(/<\/style>/g)?.length, 1);
  for (const unseen of ["\u202e", "\u001b"]) assert.equal(page.includes(unseen), false);
});

test("it loads nothing and runs nothing", () => {
  const page = reportPage(run("nightly"), stats("fraud"), "2026-01-01T00:00:00.000Z");
  assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.doesNotMatch(page, /\b(?:src|href|on\w+)=|url\(|@import|https?:/);
});

test("it has every plot a labelled run can have", () => {
  const page = reportPage(run("nightly"), stats("fraud"), "2026-01-01T00:00:00.000Z");
  const titles = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
  assert.deepEqual(titles, [
    "ROC",
    "Precision and recall",
    "Calibration",
    "Scores",
    "Confusion matrix",
    "Latency of a record",
    "Errors",
    "Throughput",
    "Model",
  ]);
  assert.equal(page.match(/<svg/g)?.length, 5);
  assert.doesNotMatch(page, /NaN|undefined|Infinity/);
  assert.match(page, /<b>0\.95<\/b><span>area under ROC, ± 0\.001<\/span>/);
});

test("a run of any other processor has the plots it can have", () => {
  const { records_per_s, throughput } = stats("x");
  const page = reportPage(run("n"), { records_per_s, throughput, error_classes: {} }, "now");
  assert.deepEqual(
    [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title),
    ["Throughput"],
  );
  const short = { throughput: { interval_ms: 1000, records: [0] } };
  assert.doesNotMatch(reportPage(run("n"), short, "now"), /NaN|undefined|Infinity/);
});
