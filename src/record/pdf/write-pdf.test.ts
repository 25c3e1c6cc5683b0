import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RecordBench } from "../audit/harness.cases.ts";
import {
  at,
  denial,
  hostile,
  january,
  languages,
  made,
  madeFrom,
  month,
  openPdf,
  told,
  toolCall,
} from "./harness.cases.ts";

test("a month is told from its summary to how it is verified, with numbered pages and an outline", async (t) => {
  const { texts, text, pages, file, summary } = await made(t, month());
  assert.equal(texts.length, pages);
  for (const [index, page] of texts.entries())
    assert.match(page, new RegExp(`page ${index + 1} of\\s*${pages}\\b`));
  const document = await openPdf(file);
  const outline = (await document.getOutline()) ?? [];
  assert.deepEqual(
    outline.map(({ title }) => title),
    [
      "Summary",
      "Runs",
      "Decisions",
      "Denials",
      "Approvals",
      "Failures",
      "Policies and hooks in force",
      "Changes",
      "Chain, signature and how to verify",
    ],
  );
  const { info } = (await document.getMetadata()) as unknown as { info: Record<string, string> };
  assert.equal(info.Title, "Audit report, 2026-01-01 to 2026-01-31");
  assert.match(info.Creator ?? "", /^swarm-hooks \d/);
  assert.equal(summary.denials, 21);
  for (const part of [
    "2026-01-01 to 2026-01-31",
    "The record is intact",
    "no-force-push",
    "history others have is not rewritten",
    "cron nightly_drift",
    "drift: amount KS 0.31 over 0.15",
    "human:maria",
    "“Checked with the release plan.”",
    "production needs a person",
    "no answer in 30 s",
    "starter policy",
    "3 hooks of /srv/app",
    "swarm audit verify FILE.pdf",
    summary.rowsDigest,
  ])
    assert.ok(text.includes(part), part);
});

test("the same record, head and range give the same bytes", async (t) => {
  const bench = new RecordBench(t);
  await bench.recorded(month(3));
  const [one, other] = [
    await madeFrom(bench, january, "one.pdf"),
    await madeFrom(bench, january, "other.pdf"),
  ];
  assert.equal(one.sha256, other.sha256);
  assert.deepEqual(readFileSync(one.file), readFileSync(other.file));
});

test("a table that goes on has its head on every page, and no row of it is torn apart", async (t) => {
  const entries = Array.from({ length: 90 }, (_, index) =>
    denial(at(1 + (index % 28), index % 60), "rule", `begin-${index} ${"word ".repeat(30)}end-${index}`),
  );
  const { texts } = await made(t, entries);
  const listing = texts.filter((page) => page.includes("begin-"));
  assert.ok(listing.length > 3);
  for (const page of listing) assert.match(page, /Rule or hook\s+Reason/);
  for (let index = 0; index < 90; index++) {
    const [page, ...more] = texts.filter((each) => new RegExp(`(begin|end)-${index}\\b`).test(each));
    assert.equal(more.length, 0, `row ${index} stands on two pages`);
    assert.match(page ?? "", new RegExp(`begin-${index}\\b[^]*end-${index}\\b`));
  }
});

test("an empty range is a document that says so", async (t) => {
  const { text, pages, summary } = await made(t, [
    toolCall("2025-12-31T23:59:59.999Z"),
    toolCall("2026-02-01T00:00:00.000Z"),
  ]);
  assert.deepEqual([summary.rows, summary.first], [0, null]);
  assert.ok(pages <= 2);
  for (const part of [
    "The record has no rows in this range.",
    "Nothing failed in this range.",
    "Nobody was asked",
  ])
    assert.ok(text.includes(part), part);
});

test("hostile texts do nothing: no links, no actions, no lines of their own, nothing endless", async (t) => {
  const entries = Object.entries(hostile).flatMap(([name, value], index) => [
    denial(at(3, index), value, value, value),
    told(at(4, index), "approval.decided", {
      approval_id: value,
      name,
      decision: "denied",
      decided_by: value,
      comment: value,
    }),
    told(at(5, index), "cron.failed", { name: value, run_id: value, error: value }),
    { kind: "change", event: "flag.set", actor: value, time: at(6, index), reason: value } as const,
  ]);
  const { file, texts, text, pages } = await made(t, entries);
  assert.equal(texts.length, pages);
  assert.ok(pages < 40, `${pages} pages`);
  const document = await openPdf(file);
  for (let number = 1; number <= pages; number++) {
    const annotations = await (await document.getPage(number)).getAnnotations();
    assert.deepEqual(annotations, []);
  }
  assert.equal(await document.getJSActions(), null);
  assert.equal(await document.getOpenAction(), null);
  const raw = readFileSync(file, "latin1");
  for (const name of ["/OpenAction", "/JavaScript", "/URI", "/Launch", "/AA"])
    assert.ok(!raw.includes(name), name);
  assert.ok(text.includes("safe\\u{202e}gpj.exe"));
  assert.ok(text.includes("first line↵Row 99"));
  assert.match(text, /… \(1,0\d\d,\d{3} more characters\)/);
});

test("every script is found again by whoever searches the document", async (t) => {
  const entries = Object.entries(languages).map(([name, value], index) => denial(at(3, index), name, value));
  const { text } = await made(t, entries);
  const found = text.normalize("NFC");
  for (const word of ["ψυχοφθόρα", "булок", "我能吞下玻璃", "カタカナ", "고유조건은", "Việt", "€ £ ½"])
    assert.ok(found.includes(word), word);
  for (const word of ["שלום", "عالم", "مرحبا"]) {
    const turned = [...word].reverse().join("");
    if (word !== "عالم") assert.ok(found.includes(word) || found.includes(turned), word);
  }
});

test("a record that was changed is called so on the first page and named at the end", async (t) => {
  const bench = new RecordBench(t);
  await bench.recorded(month(2));
  bench.tamper((database) => database.exec("update run_events set actor = 'human:nobody' where seq = 5"));
  const { texts, verification, text } = await madeFrom(bench, january, "changed.pdf");
  assert.equal(verification.is_intact, false);
  assert.match(texts[0] ?? "", /THE RECORD IS NOT INTACT/);
  assert.ok(text.includes("row 5 is not what was written"));
});

test("a run is told by the rows that belong to it, and every row is listed where that was asked for", async (t) => {
  const range = { kind: "run", run_id: "cr_7", from: null, to: null, rows: "all" } as const;
  const { text, summary } = await made(t, month(2), range);
  assert.equal(summary.rows, 2);
  for (const part of ["Audit report of a run", "run cr_7", "cron nightly_drift", "Every row", "cron.fired"])
    assert.ok(text.includes(part), part);
  assert.ok(!text.includes("no-force-push"));
});

test("a promotion is told by its rows and by those that name it", async (t) => {
  const named = {
    kind: "change",
    event: "flag.set",
    actor: "human:li",
    reason: "fraud m_3 to production",
  } as const;
  const range = { kind: "promotion", run_id: "m_3", from: null, to: null, rows: "notable" } as const;
  const { summary, text } = await made(t, [...month(1), { ...named, time: at(30) }], range);
  assert.equal(summary.rows, 1);
  assert.ok(text.includes("fraud m_3 to production"));
});

test("runs of batches and pipelines are told from their rows, and what began and did not end is said", async (t) => {
  const { text } = await made(t, [
    told(at(2), "batch.started", { run_id: "b_1" }, { task: "b_1" }),
    told(
      at(3),
      "batch.completed",
      { run_id: "b_1", name: "score", done_count: 900, failed_count: 3, duration_s: 4 },
      { task: "b_1" },
    ),
    told(at(4), "session.start", { source: "swarm/pipeline" }, { session: "p_1", source: "swarm/pipeline" }),
    told(at(5), "session.end", { reason: "completed" }, { session: "p_1", source: "swarm/pipeline" }),
    told(at(6), "cron.fired", { run_id: "cr_9" }, { task: "cr_9", source: "cron" }),
    told(at(7), "approval.requested", { approval_id: "apr_9", name: "deploy" }),
  ]);
  for (const part of [
    "batch score",
    "900 done; 3 failed",
    "pipeline",
    "p_1",
    "no end recorded",
    "cr_9",
    "not decided",
    "apr_9",
  ])
    assert.ok(text.includes(part), part);
});

test("a pipeline run is told with its name, its data, what became of its steps and the version it made", async (t) => {
  const run = { task: "pr_1", session: "pr_1", source: "swarm/pipeline" };
  const step = { ...run, event: "pipeline.step", actor: "swarm" };
  const { text, summary } = await made(t, [
    told(at(2), "session.start", { session_title: "pipeline fraud", source: "swarm/pipeline" }, run),
    {
      ...run,
      kind: "change",
      event: "pipeline.data",
      actor: "swarm",
      time: at(2),
      reason: "data /srv/a.csv",
    },
    { ...step, kind: "change", time: at(2), reason: "prepare is skipped: pr_0 has made the same" },
    { ...step, kind: "intent", time: at(2), outcome: "open", id: "evt_7" },
    { ...step, kind: "outcome", time: at(2), ref: "evt_7" },
    {
      ...{ ...run, kind: "outcome", event: "pipeline.run", actor: "human:ann", time: at(2) },
      after: JSON.stringify({ run_id: "pr_1", status: "completed", version: { model: "fraud" } }),
    },
    told(at(2), "session.end", { reason: "completed", duration_s: 2 }, run),
  ]);
  const row =
    /pipeline fraud\s*pr_1\s*completed\s*2 s\s*row \d+; steps: 1 run, 1 skipped; a new version of fraud; data \/srv\/a\.csv/;
  assert.match(text, row);
  assert.equal(summary.changes, 0, "how a run goes on is no change of what holds");
});

test("a batch run is told as it ended: by somebody, by a no, or not yet begun", async (t) => {
  const of = (task: string) => ({ task, source: "batch" });
  const effect = { event: "batch.started", actor: "human:ann", time: at(3) };
  const { text, summary } = await made(t, [
    told(at(2), "batch.started", { run_id: "ended", name: "ended" }, of("ended")),
    { ...effect, kind: "intent", outcome: "open", id: "evt_1", ...of("ended") },
    {
      ...{ ...effect, kind: "outcome", outcome: "failed", ref: "evt_1", reason: "cancelled by human:ann" },
      ...{ ...of("ended"), after: '{"state":"cancelled"}' },
    },
    told(at(3), "batch.failed", { run_id: "ended", error: "cancelled by human:ann" }, of("ended")),
    told(
      at(4),
      "batch.started",
      { run_id: "refused" },
      { ...of("refused"), verdict: "deny", reason: "not now" },
    ),
    told(at(5), "batch.started", { run_id: "asked" }, { ...of("asked"), verdict: "ask" }),
    told(at(6), "batch.started", { run_id: "let-go" }, { ...of("let-go"), verdict: "ask" }),
    {
      ...of("let-go"),
      kind: "change",
      event: "batch.cancelled",
      actor: "swarm",
      time: at(6),
      reason: "denied: no",
    },
    told(at(7), "batch.started", { run_id: "crashed" }, of("crashed")),
    { ...effect, kind: "outcome", outcome: "failed", reason: "its process ended", ...of("crashed") },
  ]);
  for (const part of [
    /ended\s*cancelled\s*row \d+; cancelled by human:ann/,
    /refused\s*denied\s*row \d+; not now/,
    /let-go\s*cancelled\s*row \d+; denied: no/,
    /asked\s*waits for an\s*approval\s*asked 2026-01-05/,
    /crashed\s*no end recorded/,
  ])
    assert.match(text, part);
  assert.equal(summary.failures, 2, "an outcome and the event that tells of it are one failure");
  assert.match(text, /\d+ \d+ batch\.failed ended cancelled by human:ann/);
  assert.match(text, /batch\.started \(outcome\) crashed its process ended/);
});

test("a drift check is told with what was compared, and what was forgotten as a change", async (t) => {
  const findings = [{ feature: "amount" }];
  const sides = { baseline: { source: "batch run march" }, window: { source: "batch run may" } };
  const checked = {
    kind: "change",
    event: "drift.checked",
    actor: "swarm",
    time: at(3),
    task: "dr_1",
  } as const;
  const after = JSON.stringify({ name: "nightly", ...sides, findings });
  const reason = "drift: amount KS 0.412 over 0.15; amount PSI 0.892 over 0.2; country PSI 0.798 over 0.2";
  const forgotten = { kind: "intent", event: "runs.forgotten", actor: "swarm", time: at(4) } as const;
  const { text, summary } = await made(t, [
    { ...checked, after, reason },
    { ...forgotten, outcome: "open", reason: "3 batch runs, kept for 30 days" },
  ]);
  assert.deepEqual([summary.driftChecks, summary.changes], [1, 1]);
  assert.match(text, /nightly\s*dr_1\s*by swarm, row 1\s*drift\s*batch run may with batch run march/);
  assert.match(text, /runs\.forgotten\s*swarm\s*3 batch runs, kept for 30 days/);
});

test("a question is told with what it is about, and a no is a denial once", async (t) => {
  const question = { approval_id: "apr_1", name: "promote_model", rule: "policy:second-person" };
  const asked = { ...question, reason: "a second person looks [second-person]", requested_by: "human:ann" };
  const subject = { input: { model: "fraud", version: 1, stage: "production", notes: "x".repeat(900) } };
  const effect = { event: "approval.requested", actor: "human:ann", time: at(3) };
  const { text, summary } = await made(t, [
    { ...effect, kind: "intent", outcome: "open", verdict: "ask", id: "evt_1" },
    told(at(3), "approval.requested", { ...asked, subject }),
    { ...effect, kind: "outcome", outcome: "denied", verdict: "deny", ref: "evt_1" },
    told(at(3), "approval.decided", { ...asked, decision: "denied", decided_by: "human:bob", comment: "no" }),
    denial(at(4), "policy:second-person", "denied by human:bob: no"),
  ]);
  assert.match(text, /promote_model model: fraud, version: 1, stage: production, notes: [x ]+… apr_1/);
  assert.match(text, /policy:second-person: a second person looks row \d/);
  assert.equal(summary.denials, 1);
});

test("effects that were announced and have no end are counted, but for the making of the document itself", async (t) => {
  const intent = { kind: "intent", actor: "swarm", outcome: "open" } as const;
  const cutOff = { ...intent, event: "webhook.delivery", time: at(3) };
  const { text, verification } = await made(t, [cutOff, { ...intent, event: "audit.pdf", time: at(4) }]);
  assert.equal(verification.open_intents.length, 1);
  assert.match(text, /Announced effects without a recorded end, .*: 1\./);
});
