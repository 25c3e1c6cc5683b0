import { SwarmError } from "../../base/errors.ts";
import {
  type CronJob,
  type CronRun,
  jobFields,
  type JobSettings,
  type StoredJob,
  type StoredRun,
} from "../../operations/cron/port/cron-job.ts";
import type {
  CronChange,
  CronDaemon,
  CronJobsChange,
  CronRunEnded,
  CronStore,
  JobQuery,
  SlotClaim,
} from "../../operations/cron/port/cron-store.ts";
import { defaultsOf, settingsIn } from "../../operations/port/setting.ts";
import type { ChangeWriters, Page } from "../port/store.ts";
import { cronStatements } from "../sql/cron.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Scheduled work in the store's file. */
export class SqliteCronStore implements CronStore {
  readonly changes: ChangeWriters<CronChange> = {
    cron_jobs: (change) => this.#changeJobs(change),
    cron_run_started: (started) => {
      if (this.#sql.startRun.run(started) === 0) throw lost(started.run_id);
    },
    cron_run_ended: (ended) => this.#end(ended),
  };
  readonly #file: SqliteFile;
  readonly #sql: Statements<typeof cronStatements>;

  constructor(file: SqliteFile) {
    this.#file = file;
    this.#sql = file.statements(cronStatements);
  }

  async listJobs({ limit, beforeSeq = Number.MAX_SAFE_INTEGER, name }: JobQuery): Promise<StoredJob[]> {
    const { listJobs, listJobsNamed } = this.#sql;
    const page = { before_seq: beforeSeq, limit };
    const rows =
      name === undefined ? listJobs.all<JobRow>(page) : listJobsNamed.all<JobRow>({ ...page, name });
    return rows.map(jobOf);
  }

  async findJob(jobId: string): Promise<StoredJob | null> {
    const row = this.#sql.findJob.one<JobRow>({ job_id: jobId });
    return row === null ? null : jobOf(row);
  }

  async declaredJobs(): Promise<StoredJob[]> {
    return this.#sql.declaredJobs.all<JobRow>().map(jobOf);
  }

  async dueJobs(by: string, limit: number): Promise<StoredJob[]> {
    return this.#sql.dueJobs.all<JobRow>({ by, limit }).map(jobOf);
  }

  async nextDueAt(now: string): Promise<string | null> {
    return this.#sql.nextDue.one<{ due_at: string | null }>({ now })?.due_at ?? null;
  }

  async claim(claim: SlotClaim): Promise<StoredRun[] | null> {
    let made: StoredRun[] | null = null;
    this.#file.transaction(() => {
      if (this.#sql.advanceJob.run(claim) === 0) return;
      made = claim.runs.flatMap((run) => this.#insert(this.#unlessBusy(run, claim)) ?? []);
    });
    return made;
  }

  async listRuns(jobId: string, { limit, beforeSeq = Number.MAX_SAFE_INTEGER }: Page): Promise<StoredRun[]> {
    return this.#sql.listRuns.all<StoredRun>({ job_id: jobId, before_seq: beforeSeq, limit });
  }

  async findRun(runId: string): Promise<StoredRun | null> {
    return this.#sql.findRun.one<StoredRun>({ run_id: runId });
  }

  async lastRun(jobId: string): Promise<StoredRun | null> {
    return this.#sql.lastRun.one<StoredRun>({ job_id: jobId });
  }

  async newestRun(): Promise<StoredRun | null> {
    return this.#sql.newestRun.one<StoredRun>();
  }

  async startableRuns(by: string, limit: number): Promise<StoredRun[]> {
    return this.#sql.startableRuns.all<StoredRun>({ by, limit });
  }

  async openRuns(): Promise<StoredRun[]> {
    return this.#sql.openRuns.all<StoredRun>();
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
    return this.#sql.beginRun.run({ run_id: runId, owner }) === 1;
  }

  async setWaiting(
    runId: string,
    owner: string,
    isWaiting: boolean,
    reason: string | null,
  ): Promise<boolean> {
    const [from, to] = isWaiting ? (["running", "waiting"] as const) : (["waiting", "running"] as const);
    return this.#sql.setWaiting.run({ run_id: runId, owner, from, to, reason }) === 1;
  }

  async takeOver(runId: string, from: string, to: string): Promise<boolean> {
    return this.#sql.takeOverRun.run({ run_id: runId, from, to }) === 1;
  }

  async endRun(ended: CronRunEnded): Promise<void> {
    this.#file.transaction(() => this.#end(ended));
  }

  async forgetRuns(endedBefore: string, limit: number): Promise<StoredRun[]> {
    return this.#sql.forgetRuns.all<StoredRun>({ ended_before: endedBefore, limit });
  }

  async saveDaemon(daemon: CronDaemon): Promise<void> {
    this.#sql.saveDaemon.run(daemon);
  }

  async listDaemons(): Promise<CronDaemon[]> {
    return this.#sql.listDaemons.all<CronDaemon>();
  }

  async forgetDaemon(daemonId: string): Promise<void> {
    this.#sql.forgetDaemon.run({ daemon_id: daemonId });
  }

  #changeJobs({ saved, deleted, time }: CronJobsChange): void {
    for (const jobId of deleted) {
      if (this.#sql.deleteJob.run({ job_id: jobId }) === 0) throw changed(jobId);
      this.#skipQueued(jobId, time, "the job was deleted", true);
    }
    for (const job of saved) this.#save(job, time);
  }

  #save(job: CronJob, time: string): void {
    const { job_id, name } = job;
    const taken = this.#sql.findName.one<{ job_id: string }>({ name });
    if (taken !== null && taken.job_id !== job_id) throw new SwarmError("SWARM_CRON_NAME_TAKEN", { name });
    const columns = { ...job, settings: JSON.stringify(settingsIn(jobFields, job)) };
    const { insertJob, updateJob } = this.#sql;
    const count = job.revision === 1 ? insertJob.run(columns) : updateJob.run(columns);
    if (count === 0) throw changed(job_id);
    if (!job.enabled) this.#skipQueued(job_id, time, "the job was paused", false);
  }

  #skipQueued(job_id: string, time: string, reason: string, even_manual: boolean): void {
    this.#sql.skipQueuedRuns.run({ job_id, time, reason, even_manual });
  }

  #unlessBusy(run: CronRun, { ifBusy, time }: SlotClaim): CronRun {
    if (ifBusy === null || run.status !== "queued" || !this.#isBusy(run.job_id, time)) return run;
    return { ...run, ...ifBusy, ended_at: time };
  }

  #isBusy(jobId: string, now: string): boolean {
    return this.#sql.isJobBusy.one({ job_id: jobId, now }) !== null;
  }

  #insert(run: CronRun): StoredRun | null {
    const isNew = this.#sql.insertRun.run(run) === 1;
    return isNew ? this.#sql.findRun.one<StoredRun>(run) : null;
  }

  #end(ended: CronRunEnded): void {
    if (this.#sql.endRun.run(ended) === 0) throw lost(ended.run_id);
    if (ended.retry !== null) this.#insert(ended.retry);
  }
}

/** What a job says is one value, but for what statements ask for. */
type JobRow = Omit<StoredJob, keyof JobSettings> & { readonly overlap: string; readonly settings: string };

function jobOf({ settings, overlap: _overlap, ...row }: JobRow): StoredJob {
  // One that was stored before there was a setting has its default.
  return { ...row, ...defaultsOf(jobFields), ...(JSON.parse(settings) as JobSettings) };
}

function changed(jobId: string): SwarmError {
  return new SwarmError("SWARM_CRON_JOB_CHANGED", { jobId });
}

function lost(runId: string): SwarmError {
  return new SwarmError("SWARM_CRON_RUN_LOST", { runId });
}
