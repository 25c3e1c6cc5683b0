import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDatasets } from "../compare.ts";
import type { DriftResult } from "../result.ts";
import { driftSettings } from "../settings.ts";
import { Dataset } from "../summary/dataset.ts";
import { reportPage } from "./page.ts";

const hostile = `</style></svg><script>alert("1")</script><img src=x onerror='alert(1)'>\u202e\u001b[31m&amp;`;
const options = { features: [], ignore: [], categorical: [], timestampField: null, period: null };

function datasetOf(records: readonly object[]): Dataset {
  const dataset = new Dataset(options);
  for (const record of records) dataset.add(record);
  return dataset;
}

function resultWith(before: readonly object[], now: readonly object[], text: string): DriftResult {
  const features = compareDatasets(
    datasetOf(before),
    datasetOf(now),
    driftSettings({ baseline: "b", window: "w" }),
  );
  const side = {
    source: text,
    files: [{ path: text, bytes: 1, sha256: "a".repeat(64) }],
    rows: before.length,
    outside: 1,
    undated: 2,
    unread: 3,
    omitted: 4,
  };
  const about = {
    version: 1,
    check_id: "dr_1",
    name: text,
    time: "2026-01-01T00:00:00.000Z",
    cwd: "/",
  } as const;
  const findings = features.flatMap((feature) => feature.findings);
  return {
    ...about,
    baseline: side,
    window: side,
    window_hours: 24,
    is_drift: true,
    message: text,
    findings,
    features,
  };
}

const records = (category: string, shift: number) =>
  Array.from({ length: 40 }, (_, n) => ({
    [hostile]: n + shift,
    word: n % 2 === 0 ? category : "plain",
    [`${hostile}2`]: [n],
  }));

test("whatever names and categories say is text on the page, and nothing else", () => {
  const page = reportPage(resultWith(records("x", 0), records(hostile, 30), hostile));
  const tags = new Set([...page.matchAll(/<\/?([a-z!]\w*)/gi)].map(([, tag]) => tag));
  for (const tag of ["script", "img", "iframe", "link", "a", "foreignObject", "image"])
    assert.equal(tags.has(tag), false, tag);
  assert.equal(page.match(/<\/style>/g)?.length, 1);
  for (const unseen of ["\u202e", "\u001b"]) assert.equal(page.includes(unseen), false);
  assert.match(page, /&lt;script&gt;alert\(&quot;1&quot;\)/);
  assert.match(page, /Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.doesNotMatch(page.replaceAll(/&lt;.*?&gt;/g, ""), /\b(?:src|href|on\w+)=|url\(|@import/);
});

test("each feature is drawn: numbers as two histograms, categories as pairs of bars", () => {
  const page = reportPage(resultWith(records("x", 0), records("y", 30), "fraud"));
  assert.equal(page.match(/<svg /g)?.length, 2);
  assert.equal(page.match(/class="outline"/g)?.length, 1);
  assert.equal(page.match(/<rect class="now"/g)?.length, 3);
  assert.doesNotMatch(page, /NaN|undefined|Infinity/);
  assert.match(
    page,
    /1 outside the window, 2 without a time, 3 not readable, 4 values in fields over the limit/,
  );
});

test("a report of very many features draws the first hundred and tells of the rest", () => {
  const wide = (shift: number) =>
    Array.from({ length: 20 }, (_, n) =>
      Object.fromEntries(Array.from({ length: 130 }, (__, f) => [`f${f}`, n + shift])),
    );
  const page = reportPage(resultWith(wide(0), wide(0), "wide"));
  assert.equal(page.match(/<svg /g)?.length, 100);
  assert.match(page, /30 more features without findings are in result\.json/);
});
