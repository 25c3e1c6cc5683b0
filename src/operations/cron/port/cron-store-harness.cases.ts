import assert from "node:assert/strict";
import type { Store } from "../../../store/port/store.ts";
import { append, entry } from "../../../store/port/store-harness.cases.ts";
import { defaultsOf } from "../../port/setting.ts";
import { type CronJob, type CronRun, type JobSettings, jobFields } from "./cron-job.ts";
import type { CronJobsChange, SlotClaim } from "./cron-store.ts";

/** Minutes after the start of a day, as the store keeps times. */
export const minute = (count: number): string => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();

export function job(changes: Partial<CronJob> = {}): CronJob {
  const name = changes.name ?? "nightly";
  return {
    job_id: `cj_${name}`,
    ...(defaultsOf(jobFields) as Partial<JobSettings> as JobSettings),
    name,
    schedule: "0 3 * * *",
    tz: "Europe/Berlin",
    task: "custom",
    config: { command: "true" },
    cwd: "/",
    declared_in: null,
    declared_digest: null,
    anchor_at: minute(0),
    next_at: minute(1),
    due_at: minute(1),
    revision: 1,
    created_at: minute(0),
    created_by: "human:ann",
    updated_at: minute(0),
    ...changes,
  };
}

export function run(changes: Partial<CronRun> = {}): CronRun {
  const slot = changes.slot ?? minute(1);
  const of = changes.job_id ?? "cj_nightly";
  return {
    run_id: `cr_${of}_${slot}_${changes.attempt ?? 1}`,
    job_id: of,
    job_name: "nightly",
    task: "custom",
    slot,
    attempt: 1,
    trigger: "schedule",
    status: "queued",
    scheduled_at: slot,
    due_at: slot,
    owner: null,
    intent_id: null,
    created_at: slot,
    started_at: null,
    ended_at: null,
    lateness_ms: null,
    exit_code: null,
    reason: null,
    output_path: null,
    slot_count: 1,
    ...changes,
  };
}

/** A claim of the slot the job is at, which takes it one minute further. */
export function claim(changes: Partial<SlotClaim> = {}): SlotClaim {
  const from = changes.from ?? minute(1);
  const next = new Date(Date.parse(from) + 60_000).toISOString();
  const of = changes.job_id ?? "cj_nightly";
  const runs = [run({ job_id: of, slot: from })];
  return {
    job_id: of,
    revision: 1,
    from,
    next_at: next,
    due_at: next,
    runs,
    ifBusy: null,
    time: from,
    ...changes,
  };
}

export async function save(store: Store, ...saved: CronJob[]): Promise<void> {
  await change(store, { saved });
}

export async function change(store: Store, given: Partial<CronJobsChange>): Promise<void> {
  const row = entry({ kind: "change", event: "cron.created" });
  await append(store, [row], [{ kind: "cron_jobs", saved: [], deleted: [], time: minute(9), ...given }]);
}

/** Claims a slot and begins its run. */
export async function running(store: Store, owner = "d1", of: Partial<SlotClaim> = {}): Promise<CronRun> {
  const [made] = (await store.cron.claim(claim(of))) ?? assert.fail("another claimed it");
  assert.ok(made !== undefined && (await store.cron.beginRun(made.run_id, owner)));
  return made;
}

export async function statuses(store: Store, jobId = "cj_nightly"): Promise<string[]> {
  return (await store.cron.listRuns(jobId, { limit: 100 })).map(({ status }) => status).reverse();
}

export function ended(runId: string | undefined, changes: object = {}) {
  return {
    kind: "cron_run_ended" as const,
    run_id: runId ?? "",
    owner: "d1",
    status: "completed" as const,
    ended_at: minute(9),
    exit_code: 0,
    reason: null,
    retry: null,
    ...changes,
  };
}
