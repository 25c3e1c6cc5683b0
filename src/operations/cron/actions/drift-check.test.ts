import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { systemClock } from "../../../base/clock.ts";
import { Drift } from "../../drift/drift.ts";
import type { DriftResult } from "../../drift/result.ts";
import type { Baseline } from "../../drift/port/baseline-store.ts";
import { taskCall, taskCases } from "../port/task.cases.ts";
import { driftCheckTask } from "./drift-check.ts";

/** A folder with data in it, and a home with runs. */
function place(t: TestContext) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "swarm-drift-")));
  t.after(() => rmSync(home, { recursive: true }));
  const rows = (shift: number, count = 100) =>
    Array.from({ length: count }, (_, n) => ({ amount: n + shift, word: "a" }));
  const lines = (records: readonly object[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(join(home, "before.jsonl"), lines(rows(0)));
  writeFileSync(
    join(home, "same.csv.gz"),
    gzipSync(
      `amount,word\n${rows(1)
        .map(({ amount }) => `${amount},a`)
        .join("\n")}`,
    ),
  );
  writeFileSync(join(home, "moved.jsonl"), lines(rows(60)));
  return { home, lines, rows };
}

/** The real thing, but for a store of its own and a record that is a list. */
function driftIn(home: string) {
  const told: { event: string; data: Record<string, unknown>; origin: object }[] = [];
  const recorded: { event: string; reason?: string | null; actor: string }[] = [];
  const kept = new Map<string, Baseline>();
  const drift = new Drift({
    home,
    clock: systemClock,
    store: { list: async () => [...kept.values()], find: async (name) => kept.get(name) ?? null },
    book: async () => assert.fail("no run is asked for"),
    audit: {
      record: async (entry, change) => {
        recorded.push(entry);
        if (change?.kind === "baseline_set") kept.set(change.row.name, change.row);
        return entry as never;
      },
      intent: async () => assert.fail("nothing happens outside"),
    },
    emit: async ({ event, data, origin }) =>
      told.push({ event, data: data as never, origin: origin ?? {} }) as never,
  });
  return { drift, told, recorded, kind: driftCheckTask({ drift: async () => drift }) };
}

taskCases({
  name: "drift_check",
  kind: (t) => driftIn(place(t).home).kind,
  folder: (t) => place(t).home,
  completes: { baseline: "before.jsonl", window: "same.csv.gz" },
  fails: { baseline: "before.jsonl", window: "nowhere.jsonl" },
  endless: { baseline: "before.jsonl", window: "moved.jsonl" },
  refused: [
    [{}, "baseline"],
    [{ baseline: "before.jsonl" }, "window"],
    [{ baseline_run_id: "a b" }, "baseline_run_id"],
    [{ baseline: "b", window_hours: 0 }, "window_hours"],
    [{ baseline: "b", alert_threshold: 15 }, "alert_threshold"],
  ],
});

test("drift is a run that was done with something to see: a finding, a report, a row and an alert", async (t) => {
  const { home } = place(t);
  const { kind, told, recorded } = driftIn(home);
  const { call, printed } = taskCall(home);
  const config = { baseline: "before.jsonl", window: "moved.jsonl", alert_email: "risk@example.com" };
  const end = await kind.run(config, call);
  const message = "drift: amount KS 0.6 over 0.15; amount PSI 8.51 over 0.2";
  assert.deepEqual(
    { ...end, finding: end.finding?.replace(/PSI [\d.]+/, "PSI 8.51") },
    { exitCode: null, problem: null, finding: message },
  );
  assert.match(
    printed(),
    /baseline: 100 records of .*before\.jsonl\nwindow: 100 records of .*\namount KS 0\.6 over 0\.15\n/,
  );
  const folder = join(home, "drift", "cr_1");
  const result = JSON.parse(readFileSync(join(folder, "result.json"), "utf8")) as DriftResult;
  assert.deepEqual([result.is_drift, result.name, result.window.rows], [true, "nightly", 100]);
  assert.match(readFileSync(join(folder, "report.html"), "utf8"), /<svg class="plot"/);
  const [alert] = told;
  assert.deepEqual(
    [
      told.length,
      alert?.event,
      alert?.data.name,
      Number(alert?.data.value).toFixed(3),
      alert?.data.threshold,
      alert?.origin,
    ],
    [1, "alert.raised", "nightly", "0.600", 0.15, { source: "drift", task: "cr_1", cwd: home }],
  );
  const details = alert?.data.details as Record<string, unknown>;
  assert.deepEqual([details.alert_email, details.finding_count], ["risk@example.com", 2]);
  assert.equal(existsSync(String(details.report_path)), true);
  assert.deepEqual(
    recorded.map(({ event, actor }) => [event, actor]),
    [["drift.checked", "swarm"]],
  );
});

test("data as they were raise nothing", async (t) => {
  const { home } = place(t);
  const { kind, told } = driftIn(home);
  const end = await kind.run({ baseline: "before.jsonl", window: "same.csv.gz" }, taskCall(home).call);
  assert.deepEqual([end, told], [{ exitCode: null, problem: null, finding: null }, []]);
});

test("a baseline is read once: the data may be gone, and a summary that was changed is refused", async (t) => {
  const { home } = place(t);
  const { drift, recorded } = driftIn(home);
  const { signal } = new AbortController();
  const direct = await drift.check(
    { baseline: "before.jsonl", window: "moved.jsonl" },
    { name: "x", cwd: home, actor: "a", signal },
  );
  const set = await drift.baselines.set({ name: "fraud", source: "before.jsonl" }, home, "human:ada", signal);
  assert.deepEqual(
    [set.rows, set.features, set.set_by, set.source],
    [100, 2, "human:ada", join(home, "before.jsonl")],
  );
  rmSync(join(home, "before.jsonl"));
  const config = { baseline: "fraud", window: "moved.jsonl" };
  const { result } = await drift.check(config, { name: "x", cwd: home, actor: "a", signal });
  assert.deepEqual(result.features, direct.result.features);
  assert.deepEqual(result.baseline.files, direct.result.baseline.files);
  assert.deepEqual((await drift.baselines.show("fraud")).schema, [
    { feature: "amount", type: "number", present: 100, categories: 0 },
    { feature: "word", type: "string", present: 100, categories: 1 },
  ]);
  assert.equal(recorded.filter(({ event }) => event === "baseline.set").length, 1);
  await assert.rejects(drift.baselines.show("fraudd"), {
    code: "SWARM_BASELINE_UNKNOWN",
    message: /did you mean "fraud"/,
  });
  const file = join(home, "baselines", `${set.summary_digest}.json.gz`);
  writeFileSync(file, gzipSync("{}"));
  await assert.rejects(drift.check(config, { name: "x", cwd: home, actor: "a", signal }), {
    code: "SWARM_DRIFT_DATA_INVALID",
    message: /not what was kept/,
  });
});

test("only records of the last hours count where they have a time; a window without any fails", async (t) => {
  const { home, lines, rows } = place(t);
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const dated = [
    ...rows(500).map((row) => ({ ...row, at: at(48) })),
    ...rows(0).map((row) => ({ ...row, at: at(1) })),
  ];
  writeFileSync(join(home, "log.jsonl"), lines(dated));
  const { kind, drift } = driftIn(home);
  const config = { baseline: "before.jsonl", window: "log.jsonl", window_hours: 24 };
  const end = await kind.run({ ...config, timestamp_field: "at" }, taskCall(home).call);
  assert.deepEqual([end.problem, end.finding], [null, null]);
  const { window, features } = drift.checks.find("cr_1");
  assert.deepEqual(
    [window.rows, window.outside, features.map(({ feature }) => feature)],
    [100, 100, ["amount", "word"]],
  );
  const undated = await kind.run(config, taskCall(home).call);
  assert.match(
    undated.problem ?? "",
    /it has 0 records, expected 10 at least; 200 have no time that can be read/,
  );
});

test("a check that is told to let go while it reads ends, and keeps nothing", async (t) => {
  const { home } = place(t);
  const { drift, told, recorded } = driftIn(home);
  const abort = new AbortController();
  const checking = drift.check(
    { baseline: "before.jsonl", window: "moved.jsonl" },
    { check_id: "dr_1", name: "x", cwd: home, actor: "a", signal: abort.signal },
  );
  setImmediate(() => abort.abort());
  await assert.rejects(checking, { code: "SWARM_DRIFT_ENDED" });
  assert.deepEqual([told, recorded, existsSync(join(home, "drift"))], [[], [], false]);
  assert.throws(() => drift.checks.find("dr_1"), { code: "SWARM_DRIFT_CHECK_UNKNOWN" });
  assert.throws(() => drift.checks.find("../drift"), { code: "SWARM_DRIFT_CHECK_UNKNOWN" });
});
