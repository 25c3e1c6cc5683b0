import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type BatchRun, type BatchState, noProgress } from "../../operations/batch/port/batch-run.ts";
import type {
  PipelineRun,
  PipelineRunStatus,
  StepRun,
} from "../../operations/pipelines/port/pipeline-store.ts";
import type { RunsForgotten } from "./retention-store.ts";
import type { Store, StoreChange } from "./store.ts";
import { append, entry, openerFor, openOne, type PrepareStore } from "./store-harness.cases.ts";

const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();

const make = (store: Store, ...changes: StoreChange[]) =>
  append(store, [entry({ kind: "change", event: "runs.forgotten" })], changes);

/** A batch run as it was added, over since this day. */
function batch(store: Store, run_id: string, ended: number, changes: Partial<BatchRun> = {}) {
  const run: BatchRun = {
    ...{ run_id, name: null, processor: "echo", state: "completed", reason: null, leg: 1 },
    ...{ spec: { run_id, output: `/h/batch/${run_id}` }, intent_id: null, runner: null },
    owner: { place: "here", pid: 7, born: "1" },
    ...{ created_at: day(1), created_by: "human:ann", started_at: day(1), ended_at: day(ended) },
    ...noProgress,
    ...changes,
  };
  return make(store, { kind: "batch_run_added", run });
}

/** A pipeline run that ended on this day; with a model, as its next version. */
async function pipeline(
  store: Store,
  run_id: string,
  ended: number,
  { status = "failed", data = null, made_by = null }: Partial<PipelineEnd> = {},
): Promise<void> {
  const owner = `po_${run_id}`;
  const run: PipelineRun = {
    ...{ run_id, pipeline: run_id, file: "/srv/swarm.yaml", folder: "/srv", model: "fraud", owner },
    ...{ status: "running", trigger: "manual", cause: null, actor: "human:ann", is_forced: false },
    ...{ intent_id: "evt_1", data: null, version: null, started_at: day(1), ended_at: null, reason: null },
  };
  await make(store, { kind: "pipeline_run_started", run });
  const row: StepRun = {
    ...{ run_id, step: "train", digest: "d", tries: 1 },
    status: made_by === null ? "completed" : "skipped",
    ...{ exit_code: 0, reason: null, outputs: [], metrics: {}, made_by, log_path: null },
    ...{ started_at: day(1), ended_at: day(1) },
  };
  await make(store, { kind: "pipeline_step", owner, row });
  if (status === "running") return;
  const version = {
    ...{ model: "fraud", run_id, digest: "d", metrics: {}, created_at: day(ended), created_by: "human:ann" },
    lineage: { data: data === null ? null : { path: data } },
  };
  const made = status === "completed" ? version : null;
  await make(store, {
    ...{ kind: "pipeline_run_ended", run_id, owner, status, ended_at: day(ended), reason: null },
    version: made,
  });
}

interface PipelineEnd {
  readonly status: PipelineRunStatus;
  readonly data: string | null;
  readonly made_by: string | null;
}

function forgotten(changes: Partial<RunsForgotten>): RunsForgotten {
  const none = { batch: [], pipeline: [], files: [] };
  return { kind: "runs_forgotten", ended_before: day(10), ...none, ...changes };
}

const dueBatch = async ({ retention }: Store, before = day(10)) =>
  (await retention.dueBatchRuns(before, 9)).map(({ run_id }) => run_id);
const duePipelines = async ({ retention }: Store, before = day(10)) =>
  (await retention.duePipelineRuns(before, 9)).map(({ run_id }) => run_id);

/** What every store does with what is older than it is kept. */
export function retentionStoreCases(prepare: PrepareStore): void {
  suite("retention", () => {
    test("due is a batch run that is over since before then, however it ended, the oldest first", async (t) => {
      const store = await openOne(t, prepare);
      const states: readonly BatchState[] = [
        "running",
        "waiting_approval",
        "failed",
        "cancelled",
        "interrupted",
      ];
      for (const [at, state] of states.entries()) await batch(store, state, 9 - at, { state });
      await batch(store, "young", 11);
      assert.deepEqual(await dueBatch(store), ["interrupted", "cancelled", "failed"]);
      assert.equal((await store.retention.dueBatchRuns(day(10), 1)).length, 1);
    });

    test("a batch run that a baseline is of, or a version's data came from, is kept", async (t) => {
      const store = await openOne(t, prepare);
      for (const id of ["named", "read", "data", "dat", "free"]) await batch(store, id, 2);
      const row = {
        ...{
          rows: 1,
          features: 1,
          data_digest: "a",
          summary_digest: "b",
          set_at: day(3),
          set_by: "human:ann",
        },
        ...{ name: "one", source: "named" },
      };
      await make(store, { kind: "baseline_set", row });
      const source = "/h/batch/read/results.jsonl";
      await make(store, { kind: "baseline_set", row: { ...row, name: "two", source } });
      await pipeline(store, "pr_1", 3, { status: "completed", data: "/h/batch/data/results.jsonl" });
      assert.deepEqual(await dueBatch(store), ["dat", "free"]);
      const lost = { code: "SWARM_BATCH_RUN_LOST" };
      await assert.rejects(make(store, forgotten({ batch: ["free", "named"] })), lost);
      assert.deepEqual(await dueBatch(store), ["dat", "free"], "all of them or none");
    });

    test("a pipeline run that is under way, made a version, or what another one skipped, is kept", async (t) => {
      const store = await openOne(t, prepare);
      await pipeline(store, "under-way", 2, { status: "running" });
      await pipeline(store, "made", 3, { status: "completed" });
      await pipeline(store, "used", 4);
      await pipeline(store, "user", 5, { made_by: "used", status: "interrupted" });
      await pipeline(store, "free", 6, { status: "cancelled" });
      await pipeline(store, "young", 11);
      assert.deepEqual(await duePipelines(store), ["user", "free"]);
      const isLost = { code: "SWARM_PIPELINE_RUN_LOST" };
      await assert.rejects(make(store, forgotten({ pipeline: ["used"] })), isLost);
      await make(store, forgotten({ pipeline: ["user", "free"] }));
      assert.equal(await store.pipelines.findRun("free"), null);
      assert.deepEqual(await store.pipelines.stepsOf("user"), []);
      assert.deepEqual(await duePipelines(store), ["used"], "nobody names it any more");
      assert.notEqual(await store.pipelines.findRun("made"), null);
    });

    test("what was forgotten is on a list until its files are said to be removed, once; its id is taken as long", async (t) => {
      const open = await openerFor(t, prepare);
      const store = await open();
      await batch(store, "r1", 2);
      const mark = { check_id: "dr_1", checked_at: day(3), is_drift: true, message: "drift" };
      const run = { kind: "batch", run_id: "r1" } as const;
      await make(store, { kind: "runs_checked", marks: [{ ...run, ...mark }] });
      assert.deepEqual(await store.retention.namedChecks(), new Set(["dr_1"]));
      const files = [
        { kind: "batch", id: "r1", input: "/h/batch/r1/input.jsonl", intent_id: "evt_1" },
      ] as const;
      await make(store, forgotten({ batch: ["r1"], files }));
      assert.equal(await store.batch.find("r1"), null);
      assert.equal(await store.driftMarks.find(run), null);
      assert.deepEqual(await store.retention.namedChecks(), new Set());
      await assert.rejects(batch(store, "r1", 3), { code: "SWARM_BATCH_RUN_TAKEN" });
      await store.close();
      const again = await open();
      assert.deepEqual(await again.retention.unremoved(), files);
      await make(again, { kind: "files_removed", intent_id: "evt_1" });
      assert.deepEqual(await again.retention.unremoved(), []);
      const isDone = { code: "SWARM_FILES_REMOVED" };
      await assert.rejects(make(again, { kind: "files_removed", intent_id: "evt_1" }), isDone);
      await batch(again, "r1", 3);
    });
  });
}
