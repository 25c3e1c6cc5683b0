import type { CronJob, CronRun, RunStatus } from "./port/cron-job.ts";
import { newRun } from "./due.ts";
import { iso } from "./slots.ts";

/** Pauses grow up to this, unless the first is longer. */
const maxBackoffS = 3_600;
const retriedStatuses: readonly RunStatus[] = ["failed", "timed_out", "interrupted"];

/** The run that follows one that ended like this; null when none does. */
export function retryOf(run: CronRun, job: CronJob | null, status: RunStatus, nowMs: number): CronRun | null {
  if (job === null || run.attempt > job.retries || !retriedStatuses.includes(status)) return null;
  // Whoever pauses a job wants no more of it; what was asked for by hand was asked for.
  if (!job.enabled && !run.slot.startsWith(manualSlot)) return null;
  const backoffS = Math.min(job.backoff_s * 2 ** (run.attempt - 1), Math.max(maxBackoffS, job.backoff_s));
  const { slot, scheduled_at, attempt } = run;
  const times = { due_at: iso(nowMs + backoffS * 1_000), created_at: iso(nowMs) };
  return newRun(job, { slot, scheduled_at, trigger: "retry", attempt: attempt + 1, ...times });
}

/** How the slot of a run begins that somebody asked for. */
export const manualSlot = "manual ";
