import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { CronJob, CronRun } from "./port/cron-job.ts";
import type { CronRunEnded } from "./port/cron-store.ts";

/** Tells hooks what becomes of jobs. */
export class CronEvents {
  readonly #emit: Emit;
  readonly #log: Log;

  constructor(emit: Emit, log: Log) {
    this.#emit = emit;
    this.#log = log;
  }

  /** Asks: a denial means that it does not run. Throws when it cannot be decided. */
  fired(job: CronJob, run: CronRun): Promise<Outcome> {
    const [data, origin] = [firedPayload(job, run), originOf(job, run)];
    return this.#emit({ event: "cron.fired", data, origin, waitsForPerson: true });
  }

  async ended(job: CronJob | null, run: CronRun, ended: CronRunEnded, ms: number): Promise<void> {
    const output = run.output_path === null ? {} : { output_path: run.output_path };
    const data = { ...payloadOf(job, run), ...output, duration_s: Math.round(ms) / 1_000 };
    if (ended.status === "completed") {
      await tellOrLog(this.#log, () =>
        this.#emit({ event: "cron.completed", data, origin: originOf(job, run) }),
      );
      return;
    }
    const retry = ended.retry === null ? {} : { retry_at: ended.retry.due_at };
    const failed = { ...data, error: ended.reason ?? ended.status, exit_code: ended.exit_code, ...retry };
    await tellOrLog(this.#log, () =>
      this.#emit({ event: "cron.failed", data: failed, origin: originOf(job, run) }),
    );
  }

  /** Slots that did not run: nobody was there, their policy, a hook, a rule or a person said no. */
  async missed(job: CronJob | null, run: CronRun): Promise<void> {
    const data = { ...payloadOf(job, run), reason: run.reason ?? run.status, missed_count: run.slot_count };
    await tellOrLog(this.#log, () => this.#emit({ event: "cron.missed", data, origin: originOf(job, run) }));
  }
}

/** What is about to happen, all of it: rules and guards judge what will run. */
export function firedPayload(job: CronJob, run: CronRun) {
  return { ...payloadOf(job, run), config: job.config };
}

/** A run is what its events and rows belong to. */
export function originOf(job: CronJob | null, { run_id: task }: CronRun) {
  return { source: "cron", task, ...(job !== null && { cwd: job.cwd }) };
}

function payloadOf(job: CronJob | null, run: CronRun) {
  const { job_name, job_id, run_id, task, scheduled_at, attempt, trigger, lateness_ms } = run;
  const told = { name: job_name, job_id, run_id, task, scheduled_at, attempt, trigger };
  const lateness = lateness_ms === null ? {} : { lateness_s: lateness_ms / 1_000 };
  return { ...told, ...lateness, ...(job !== null && { schedule: job.schedule }) };
}
