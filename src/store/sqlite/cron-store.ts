import type { SQLInputValue } from "node:sqlite";
import { SwarmError } from "../../base/errors.ts";
import type { CronJob, CronRun, StoredJob, StoredRun } from "../../operations/cron/port/cron-job.ts";
import type {
  CronChange,
  CronDaemon,
  CronJobsChange,
  CronRunEnded,
  CronStore,
  JobQuery,
  SlotClaim,
} from "../../operations/cron/port/cron-store.ts";
import type { Page } from "../port/store.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Scheduled work in the store's file. */
export class SqliteCronStore implements CronStore {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Part of a transaction that is under way. */
  apply(change: CronChange): void {
    switch (change.kind) {
      case "cron_jobs":
        this.#changeJobs(change);
        break;
      case "cron_run_started": {
        const { run_id, owner, intent_id, started_at, lateness_ms, output_path } = change;
        const values = [intent_id, started_at, lateness_ms, output_path];
        if (this.#file.run("start-cron-run", ...values, run_id, owner) === 0) throw lost(run_id);
        break;
      }
      case "cron_run_ended":
        this.#end(change);
    }
  }

  async listJobs({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, name }: JobQuery): Promise<StoredJob[]> {
    const query = { before_seq: beforeSeq, name: name ?? null, limit };
    return this.#file.all<JobRow>("list-cron-jobs", query).map(jobOf);
  }

  async findJob(jobId: string): Promise<StoredJob | null> {
    const row = this.#file.one<JobRow>("find-cron-job", jobId);
    return row === null ? null : jobOf(row);
  }

  async declaredJobs(): Promise<StoredJob[]> {
    return this.#file.all<JobRow>("declared-cron-jobs").map(jobOf);
  }

  async dueJobs(by: string, limit: number): Promise<StoredJob[]> {
    return this.#file.all<JobRow>("due-cron-jobs", by, limit).map(jobOf);
  }

  async nextDueAt(now: string): Promise<string | null> {
    return this.#file.one<{ due_at: string | null }>("next-cron-due", now)?.due_at ?? null;
  }

  async claim(claim: SlotClaim): Promise<StoredRun[] | null> {
    const { job_id, revision, from, next_at, due_at } = claim;
    let made: StoredRun[] | null = null;
    this.#file.transaction(() => {
      if (this.#file.run("advance-cron-job", next_at, due_at, job_id, revision, from) === 0) return;
      made = claim.runs.flatMap((run) => this.#insert(this.#unlessBusy(run, claim)) ?? []);
    });
    return made;
  }

  async listRuns(jobId: string, { limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page): Promise<StoredRun[]> {
    return this.#file.all<StoredRun>("list-cron-runs", jobId, beforeSeq, limit);
  }

  async findRun(runId: string): Promise<StoredRun | null> {
    return this.#file.one<StoredRun>("find-cron-run", runId);
  }

  async lastRun(jobId: string): Promise<StoredRun | null> {
    return this.#file.one<StoredRun>("last-cron-run", jobId);
  }

  async newestRun(): Promise<StoredRun | null> {
    return this.#file.one<StoredRun>("newest-cron-run");
  }

  async startableRuns(by: string, limit: number): Promise<StoredRun[]> {
    return this.#file.all<StoredRun>("startable-cron-runs", by, limit);
  }

  async openRuns(): Promise<StoredRun[]> {
    return this.#file.all<StoredRun>("open-cron-runs");
  }

  async addRun(run: CronRun, mayWait: boolean): Promise<boolean> {
    let isAdded = false;
    this.#file.transaction(() => {
      if (!mayWait && this.#isBusy(run.job_id, run.created_at)) return;
      isAdded = this.#insert(run) !== null;
    });
    return isAdded;
  }

  async beginRun(runId: string, owner: string): Promise<boolean> {
    return this.#file.run("begin-cron-run", owner, runId) === 1;
  }

  async setWaiting(
    runId: string,
    owner: string,
    isWaiting: boolean,
    reason: string | null,
  ): Promise<boolean> {
    const [from, to] = isWaiting ? ["running", "waiting"] : ["waiting", "running"];
    return this.#file.run("set-cron-run-waiting", to, reason, runId, owner, from) === 1;
  }

  async takeOver(runId: string, from: string, to: string): Promise<boolean> {
    return this.#file.run("take-over-cron-run", to, runId, from) === 1;
  }

  async endRun(ended: CronRunEnded): Promise<void> {
    this.#file.transaction(() => this.#end(ended));
  }

  async forgetRuns(endedBefore: string, limit: number): Promise<StoredRun[]> {
    return this.#file.all<StoredRun>("forget-cron-runs", endedBefore, limit);
  }

  async saveDaemon({ daemon_id, place, pid, born, beats }: CronDaemon): Promise<void> {
    this.#file.run("save-cron-daemon", daemon_id, place, pid, born, beats);
  }

  async listDaemons(): Promise<CronDaemon[]> {
    return this.#file.all<CronDaemon>("list-cron-daemons");
  }

  async forgetDaemon(daemonId: string): Promise<void> {
    this.#file.run("forget-cron-daemon", daemonId);
  }

  #changeJobs({ saved, deleted, time }: CronJobsChange): void {
    for (const jobId of deleted) {
      if (this.#file.run("delete-cron-job", jobId) === 0) throw changed(jobId);
      this.#file.run("skip-queued-cron-runs", time, "the job was deleted", jobId, 1);
    }
    for (const job of saved) this.#save(job, time);
  }

  #save(job: CronJob, time: string): void {
    const { job_id, name } = job;
    const taken = this.#file.one<{ job_id: string }>("find-cron-name", name);
    if (taken !== null && taken.job_id !== job_id) throw new SwarmError("SWARM_CRON_NAME_TAKEN", { name });
    const values = jobValues(job);
    const count =
      job.revision === 1
        ? this.#file.run("insert-cron-job", ...values)
        : this.#file.run("update-cron-job", ...values, job_id, job.revision);
    if (count === 0) throw changed(job_id);
    if (!job.enabled) this.#file.run("skip-queued-cron-runs", time, "the job was paused", job_id, 0);
  }

  #unlessBusy(run: CronRun, { ifBusy, time }: SlotClaim): CronRun {
    if (ifBusy === null || run.status !== "queued" || !this.#isBusy(run.job_id, time)) return run;
    return { ...run, ...ifBusy, ended_at: time };
  }

  #isBusy(jobId: string, now: string): boolean {
    return this.#file.one("is-cron-job-busy", jobId, now) !== null;
  }

  #insert(run: CronRun): StoredRun | null {
    const isNew = this.#file.run("insert-cron-run", ...runValues(run)) === 1;
    return isNew ? this.#file.one<StoredRun>("find-cron-run", run.run_id) : null;
  }

  #end({ run_id, owner, status, ended_at, exit_code, reason, retry }: CronRunEnded): void {
    const values = [status, ended_at, exit_code, reason, run_id, owner];
    if (this.#file.run("end-cron-run", ...values) === 0) throw lost(run_id);
    if (retry !== null) this.#insert(retry);
  }
}

/** As SQLite has them: no booleans, no objects. */
type JobRow = Omit<StoredJob, "config" | "enabled" | "approval_required"> & {
  readonly config: string;
  readonly enabled: number;
  readonly approval_required: number;
};

function jobOf(row: JobRow): StoredJob {
  return {
    ...row,
    config: JSON.parse(row.config) as StoredJob["config"],
    enabled: row.enabled === 1,
    approval_required: row.approval_required === 1,
  };
}

function jobValues(job: CronJob): SQLInputValue[] {
  const { job_id, name, schedule, tz, task, config, enabled, overlap, misfire, misfire_cap } = job;
  const { grace_s, jitter_s, timeout_s, retries, backoff_s, approval_required, cwd } = job;
  const { declared_in, declared_digest, anchor_at, next_at, due_at, revision } = job;
  const { created_at, created_by, updated_at } = job;
  return [
    ...[job_id, name, schedule, tz, task, JSON.stringify(config), Number(enabled), overlap, misfire],
    ...[misfire_cap, grace_s, jitter_s, timeout_s, retries, backoff_s, Number(approval_required), cwd],
    ...[
      declared_in,
      declared_digest,
      anchor_at,
      next_at,
      due_at,
      revision,
      created_at,
      created_by,
      updated_at,
    ],
  ];
}

function runValues(run: CronRun): SQLInputValue[] {
  const { run_id, job_id, job_name, task, slot, attempt, trigger, status, scheduled_at, due_at } = run;
  const { owner, intent_id, created_at, started_at, ended_at, lateness_ms, exit_code } = run;
  return [
    ...[
      run_id,
      job_id,
      job_name,
      task,
      slot,
      attempt,
      trigger,
      status,
      scheduled_at,
      due_at,
      owner,
      intent_id,
    ],
    ...[
      created_at,
      started_at,
      ended_at,
      lateness_ms,
      exit_code,
      run.reason,
      run.output_path,
      run.slot_count,
    ],
  ];
}

function changed(jobId: string): SwarmError {
  return new SwarmError("SWARM_CRON_JOB_CHANGED", { jobId });
}

function lost(runId: string): SwarmError {
  return new SwarmError("SWARM_CRON_RUN_LOST", { runId });
}
