import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { CronJob, CronRun, RunStatus, StoredRun } from "./port/cron-job.ts";
import type { CronRunEnded, CronStore } from "./port/cron-store.ts";

export interface FailingOptions {
  readonly store: CronStore;
  readonly emit: Emit;
  readonly log: Log;
  /** Has the job be due no more, and records why. */
  readonly pause: (jobId: string, reason: string) => Promise<void>;
}

const badStatuses: readonly RunStatus[] = ["failed", "timed_out", "denied", "interrupted"];
/** Rows that say nothing of whether the job works: slots that did not run, and runs under way. */
const pageRows = 200;

/** Raises an alert for a job whose slots fail or are denied one after the other, and pauses it where it says so. */
export class Failing {
  readonly #options: FailingOptions;

  constructor(options: FailingOptions) {
    this.#options = options;
  }

  /** After a run has ended for good: one that is tried again has not failed yet. */
  async look(job: CronJob | null, { run_id }: CronRun, ended: CronRunEnded): Promise<void> {
    if (job === null || ended.retry !== null || !badStatuses.includes(ended.status)) return;
    const { alert_after, pause_after } = job;
    if (alert_after === 0 && pause_after === 0) return;
    const count = await this.#failuresInARow(job.job_id, Math.max(alert_after, pause_after));
    const isPaused = pause_after > 0 && count >= pause_after && job.enabled;
    const words = `${count} ${count === 1 ? "run" : "runs"} in a row failed or were denied`;
    if (isPaused) await this.#options.pause(job.job_id, words);
    const isAlert = alert_after > 0 && count === alert_after;
    if (isAlert || isPaused) await this.#alert(job, run_id, ended, { count, words, isPaused });
  }

  async #alert(
    { name, job_id, cwd, alert_after, pause_after }: CronJob,
    run_id: string,
    { status, reason }: CronRunEnded,
    {
      count,
      words,
      isPaused,
    }: { readonly count: number; readonly words: string; readonly isPaused: boolean },
  ): Promise<void> {
    const paused = isPaused ? "; the job is paused" : "";
    const data = {
      name,
      level: isPaused ? "critical" : "warning",
      message: `job ${name}: ${words}${paused}; the last ${status}: ${reason ?? "no reason"}`,
      value: count,
      threshold: isPaused ? pause_after : alert_after,
      details: { job_id, run_id, status, is_paused: isPaused },
    };
    const origin = { source: "cron", task: run_id, cwd };
    await tellOrLog(this.#options.log, () => this.#options.emit({ event: "alert.raised", data, origin }));
  }

  /** Slots since one that was completed, up to so many and one more. */
  async #failuresInARow(jobId: string, enough: number): Promise<number> {
    const slots = new Set<string>();
    let beforeSeq: number | undefined;
    for (;;) {
      const page: StoredRun[] = await this.#options.store.listRuns(jobId, {
        limit: pageRows,
        ...(beforeSeq !== undefined && { beforeSeq }),
      });
      for (const { status, slot } of page) {
        if (status === "completed") return slots.size;
        if (badStatuses.includes(status)) slots.add(slot);
        if (slots.size > enough) return slots.size;
      }
      beforeSeq = page.at(-1)?.seq;
      if (page.length < pageRows) return slots.size;
    }
  }
}
