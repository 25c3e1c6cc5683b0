import type { CronJob, CronRun, RunStatus, StoredJob, StoredRun } from "./cron-job.ts";
import type { Page } from "../../../store/port/store.ts";

/** Jobs that are made, changed or deleted together, or not at all. */
export interface CronJobsChange {
  readonly kind: "cron_jobs";
  /** Revision 1 is a new job; else the job must be at the revision before, or SWARM_CRON_JOB_CHANGED is thrown. */
  readonly saved: readonly CronJob[];
  readonly deleted: readonly string[];
  readonly time: string;
}

/** A run whose effect begins. Its owner must still have it, or SWARM_CRON_RUN_LOST is thrown. */
export interface CronRunStarted {
  readonly kind: "cron_run_started";
  readonly run_id: string;
  readonly owner: string;
  readonly intent_id: string;
  readonly started_at: string;
  readonly lateness_ms: number;
  readonly output_path: string;
}

/** A run that is over, and the one that follows it. Its owner must still have it, or SWARM_CRON_RUN_LOST is thrown. */
export interface CronRunEnded {
  readonly kind: "cron_run_ended";
  readonly run_id: string;
  readonly owner: string;
  readonly status: RunStatus;
  readonly ended_at: string;
  readonly exit_code: number | null;
  readonly reason: string | null;
  readonly retry: CronRun | null;
}

export type CronChange = CronJobsChange | CronRunStarted | CronRunEnded;

/** Slots of a job that are due, taken as a whole by the first who asks. */
export interface SlotClaim {
  readonly job_id: string;
  readonly revision: number;
  /** The slot the job was found to be at. */
  readonly from: string;
  /** Where it is afterwards. */
  readonly next_at: string | null;
  readonly due_at: string | null;
  /** In the order of their slots. */
  readonly runs: readonly CronRun[];
  /** Given: a queued run becomes this instead when another of the job is under way or about to be. */
  readonly ifBusy: { readonly status: RunStatus; readonly reason: string } | null;
  readonly time: string;
}

/** A process that runs jobs. It lives as long as `beats` goes on. */
export interface CronDaemon {
  readonly daemon_id: string;
  /** Machine and process namespace: within one, processes can be looked up. */
  readonly place: string;
  readonly pid: number;
  /** When the process began, as its system counts; null where it does not say. */
  readonly born: string | null;
  readonly beats: number;
}

export interface JobQuery extends Page {
  readonly name?: string | undefined;
}

/**
 * Jobs, their runs, and who runs them. One suite (`cron-store.cases.ts`) holds for every driver. Each method is one
 * transaction, and any number of processes may call them at once.
 */
export interface CronStore {
  /** Newest first. */
  listJobs(query: JobQuery): Promise<StoredJob[]>;
  findJob(jobId: string): Promise<StoredJob | null>;
  /** Of configuration files, by name. */
  declaredJobs(): Promise<StoredJob[]>;
  /** Due by then, the longest overdue first. */
  dueJobs(by: string, limit: number): Promise<StoredJob[]>;
  /** When the next job is due, or the next queued run that is not due yet; null when none ever is. */
  nextDueAt(now: string): Promise<string | null>;
  /** The runs that were made; null when another came first or the job has changed. A slot that was claimed before is left out. */
  claim(claim: SlotClaim): Promise<StoredRun[] | null>;

  /** Newest first. */
  listRuns(jobId: string, page: Page): Promise<StoredRun[]>;
  findRun(runId: string): Promise<StoredRun | null>;
  lastRun(jobId: string): Promise<StoredRun | null>;
  /** Of all jobs. */
  newestRun(): Promise<StoredRun | null>;
  /** Queued, due by then, and not held up by another run of the job; the longest overdue first. */
  startableRuns(by: string, limit: number): Promise<StoredRun[]>;
  /** Running or waiting, whoever owns them. */
  openRuns(): Promise<StoredRun[]>;
  /** A run nobody scheduled. False: another is under way, and both are not allowed to be. */
  addRun(run: CronRun, mayWait: boolean): Promise<boolean>;
  /** Queued → running. False: another has it, or another run of the job is under way. */
  beginRun(runId: string, owner: string): Promise<boolean>;
  /** Running → waiting for an approval, or back. False: it has another owner by now. */
  setWaiting(runId: string, owner: string, isWaiting: boolean, reason: string | null): Promise<boolean>;
  /** A waiting run of an owner who is gone. False: another has it. */
  takeOver(runId: string, from: string, to: string): Promise<boolean>;
  /** As the change of the same name, for runs that had no effect to record. */
  endRun(ended: CronRunEnded): Promise<void>;
  /** Runs that ended before then, the oldest first, are forgotten; returns those that were. */
  forgetRuns(endedBefore: string, limit: number): Promise<StoredRun[]>;

  saveDaemon(daemon: CronDaemon): Promise<void>;
  listDaemons(): Promise<CronDaemon[]>;
  forgetDaemon(daemonId: string): Promise<void>;
}
