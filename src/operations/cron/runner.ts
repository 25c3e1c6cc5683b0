import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import { OutputLog } from "../../base/output-log.ts";
import { persistently } from "../../base/persistently.ts";
import { redact } from "../../base/redact.ts";
import { oneLine } from "../../base/show.ts";
import type { Audit, ReportEnd } from "../../record/port/audit.ts";
import type { CronJob, CronRun, RunStatus } from "./port/cron-job.ts";
import type { CronRunEnded, CronStore } from "./port/cron-store.ts";
import type { MayRun, RunPermission, RunRequest } from "../port/may-run.ts";
import { type CronEvents, firedPayload, originOf } from "./events.ts";
import type { Failing } from "./failing.ts";
import { performTask, type TaskOutcome } from "./perform.ts";
import { manualSlot, retryOf } from "./retry.ts";
import type { TaskKinds } from "./settings.ts";
import { iso } from "./slots.ts";

export interface RunnerOptions {
  readonly store: CronStore;
  readonly audit: Audit;
  readonly events: CronEvents;
  readonly clock: Clock;
  readonly log: Log;
  readonly kinds: TaskKinds;
  readonly mayRun: MayRun;
  readonly outputFolder: string;
  /** Whose runs these are. */
  readonly owner: string;
  /** Called when a run is over, and there is room for another. */
  readonly onEnded: () => void;
  readonly failing: Failing;
}

/**
 * Takes runs from `queued` to their end: the hooks of `cron.fired` are asked, then the rules, then maybe a person; then
 * the effect is announced, durably, and happens; how it ended is written in one transaction with the run and its retry.
 */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #open = new Map<string, Promise<void>>();
  /** Aborted when tasks are to let go. */
  readonly #cutOff = new AbortController();
  /** Aborted when nothing more is to begin. */
  readonly #leave = new AbortController();
  /** What is told afterwards, and nobody waits for. */
  readonly #telling = new Set<Promise<void>>();
  /** At their tasks, or waiting for an approval, and who wants to know. */
  readonly #placed = new Set<string>();
  readonly #onPlaced = new Map<string, () => void>();
  #waiting = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** How many are at work; those that wait for an approval are not. */
  get atWork(): number {
    return this.#open.size - this.#waiting;
  }

  /** Begins a queued run, unless somebody else has, and tells whether it did. The run goes on by itself. */
  async begin(run: CronRun): Promise<boolean> {
    const { store, owner } = this.#options;
    if (this.#leave.signal.aborted || this.#open.has(run.run_id)) return false;
    if (!(await store.beginRun(run.run_id, owner))) return false;
    this.#follow(run, () => this.#fire(run));
    return true;
  }

  /** Until a run that was begun is at its task, waits for an approval, or is over. */
  async placed(runId: string): Promise<void> {
    const isOver = this.#open.get(runId);
    if (isOver === undefined || this.#placed.has(runId)) return;
    const placed = new Promise<void>((resolve) => this.#onPlaced.set(runId, resolve));
    await Promise.race([placed, isOver]);
  }

  #place(runId: string): void {
    this.#placed.add(runId);
    this.#onPlaced.get(runId)?.();
  }

  /** Goes on with a run that waits for an approval and whose owner is gone. */
  async resume(run: CronRun, from: string): Promise<void> {
    const { store, owner } = this.#options;
    if (!(await store.takeOver(run.run_id, from, owner))) return;
    this.#follow(run, async () => {
      const job = await this.#jobOf(run);
      const reason = run.reason ?? "it waited for an approval";
      if (job !== null) await this.#judge(run, job, { by: null, reason }, false);
    });
  }

  /** Ends a run whose owner is gone. What it did until then is not known: only where retries are allowed it runs again. */
  async interrupt(run: CronRun, from: string): Promise<void> {
    const { audit, store, events, failing } = this.#options;
    const job = await store.findJob(run.job_id);
    const outcome = {
      status: "interrupted",
      exitCode: null,
      reason: "the daemon that ran it ended",
    } as const;
    const ended = this.#ended(run, job, from, outcome);
    const { intent_id: ref } = run;
    const row = { kind: "outcome", event: "cron.fired", actor: "swarm", ...originOf(job, run), ref } as const;
    const isWritten = await this.#write(run, () =>
      ref === null
        ? store.endRun(ended)
        : audit.record({ ...row, outcome: "failed", reason: ended.reason }, ended),
    );
    if (isWritten) this.tell(events.ended(job, run, ended, 0).then(() => failing.look(job, run, ended)));
  }

  /** Keeps an eye on what hooks are told: they may take their time, and closing waits for them. */
  tell(telling: Promise<void>): void {
    const told = telling.finally(() => this.#telling.delete(told));
    this.#telling.add(told);
  }

  /** Ends every task at once; their runs are `interrupted`, and tried again where their jobs say so. */
  abort(): void {
    this.#leave.abort();
    this.#cutOff.abort();
  }

  /** Begins nothing more and waits for what is at work. What waits for an approval is left to whoever comes next. */
  async close(): Promise<void> {
    this.#leave.abort();
    while (this.#open.size + this.#telling.size > 0)
      await Promise.all([...this.#open.values(), ...this.#telling]);
  }

  #follow(run: CronRun, work: () => Promise<void>): void {
    const { onEnded } = this.#options;
    const done = work()
      .catch((error: Error) => this.#giveUp(run, error))
      .finally(() => {
        this.#open.delete(run.run_id);
        this.#placed.delete(run.run_id);
        this.#onPlaced.delete(run.run_id);
        onEnded();
      });
    this.#open.set(run.run_id, done);
  }

  /** A mistake of ours must not leave a run behind that never ends and holds up all that follow. */
  async #giveUp(run: CronRun, error: Error): Promise<void> {
    const { store, log, owner } = this.#options;
    const { run_id, job_id } = run;
    log.warn(`run ${run_id}: ${error.stack ?? error.message}`, { job_id });
    const outcome = { status: "failed", exitCode: null, reason: oneLine(error.message, 1_000) } as const;
    await this.#write(run, () => store.endRun(this.#ended(run, null, owner, outcome)));
  }

  async #fire(run: CronRun): Promise<void> {
    const { events } = this.#options;
    const job = await this.#jobOf(run);
    if (job === null) return;
    let asked: RunRequest["asked"] = job.approval_required
      ? { by: null, reason: "the job needs an approval" }
      : null;
    try {
      const { verdict, hook, reason: said } = (await events.fired(job, run)).decision;
      const words = oneLine(`${hook ?? "a hook"}${said === null ? "" : `: ${said}`}`, 1_000);
      if (verdict === "deny") return this.#notRun(run, job, "denied", `denied by ${words}`);
      if (verdict === "ask" || verdict === "defer")
        asked ??= { by: hook, reason: `an approval is asked for by ${words}` };
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      // A configuration that cannot be loaded may hold the guard that would have refused it.
      return this.#notRun(run, job, "failed", `it could not be judged: ${error.message}`);
    }
    await this.#judge(run, job, asked, true);
  }

  /** What is judged here is what runs: the job as it is now, not as it may be changed to meanwhile. */
  async #judge(run: CronRun, job: CronJob, asked: RunRequest["asked"], isJudged: boolean): Promise<void> {
    const request = {
      event: "cron.fired",
      data: firedPayload(job, run),
      origin: originOf(job, run),
      asked,
      isJudged,
    } as const;
    const permission = await this.#options.mayRun(request).catch(unjudged);
    if (permission.verdict === "deny") return this.#notRun(run, job, "denied", permission.reason);
    if (permission.verdict === "ask") {
      const decided = await this.#decided(run, permission);
      if (decided === null) return;
      if (!decided.isApproved) return this.#notRun(run, job, "denied", decided.reason);
      const now = await this.#jobOf(run);
      if (now === null) return;
      if (now.revision !== job.revision)
        return this.#notRun(run, now, "skipped", "the job was changed while it waited for an approval");
    }
    await this.#perform(run, job);
  }

  /** Null, and the run is over, when the job is not there any more or was paused meanwhile. */
  async #jobOf(run: CronRun): Promise<CronJob | null> {
    const job = await this.#options.store.findJob(run.job_id);
    const isWanted = job !== null && (job.enabled || run.slot.startsWith(manualSlot));
    if (isWanted) return job;
    await this.#notRun(run, job, "skipped", job === null ? "the job was deleted" : "the job was paused");
    return null;
  }

  /** Null: we are leaving, or the run is somebody else's. */
  async #decided(run: CronRun, { reason, decided }: Extract<RunPermission, { verdict: "ask" }>) {
    const { store, owner } = this.#options;
    const { signal } = this.#leave;
    const isWaiting = run.status === "waiting" || (await store.setWaiting(run.run_id, owner, true, reason));
    if (!isWaiting) return null;
    this.#waiting++;
    this.#place(run.run_id);
    try {
      const answer = await decided(signal);
      if (answer === null) return null;
      return (await store.setWaiting(run.run_id, owner, false, null)) ? answer : null;
    } finally {
      this.#waiting--;
    }
  }

  async #perform(run: CronRun, job: CronJob): Promise<void> {
    const { store, clock, events, owner, outputFolder, failing } = this.#options;
    const output_path = join(outputFolder, `${run.job_id}_${run.run_id}.log`);
    const nowMs = clock.now();
    const started = {
      started_at: iso(nowMs),
      lateness_ms: Math.max(0, nowMs - Date.parse(run.scheduled_at)),
      output_path,
    };
    const report = await this.#announce(run, job, started);
    if (report === null) return;
    this.#place(run.run_id);
    const output = new OutputLog(output_path);
    const beganMs = clock.monotonicMs();
    const options = { ...this.#options, job, run, output, stop: this.#cutOff.signal };
    const outcome = await performTask(options).finally(() => output.close());
    const ms = clock.monotonicMs() - beganMs;
    // As it is now: it may have been paused or deleted meanwhile, and is not tried again then.
    const ended = this.#ended(run, await store.findJob(run.job_id), owner, outcome);
    const end = {
      outcome: outcome.status === "completed" ? "completed" : "failed",
      reason: ended.reason,
      ms,
    } as const;
    if (!(await this.#write(run, () => report(end, ended)))) return;
    await events.ended(job, { ...run, ...started }, ended, ms);
    await failing.look(await store.findJob(run.job_id), run, ended);
  }

  /** The intent is on disk, and the run knows it, before anything happens. Null: it is not going to. */
  async #announce(
    run: CronRun,
    job: CronJob,
    started: { readonly started_at: string; readonly lateness_ms: number; readonly output_path: string },
  ): Promise<ReportEnd | null> {
    const { audit, owner } = this.#options;
    const { run_id } = run;
    const intent_id = newId("evt");
    const before = JSON.stringify(redact(firedPayload(job, run)));
    const row = { id: intent_id, event: "cron.fired", actor: "swarm", ...originOf(job, run), before };
    try {
      return await audit.intent(row, { kind: "cron_run_started", run_id, owner, intent_id, ...started });
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      if (error.code !== "SWARM_CRON_RUN_LOST")
        await this.#notRun(run, job, "failed", `it could not be recorded: ${error.message}`);
      return null;
    }
  }

  /** Ends a run before it had an effect. */
  async #notRun(run: CronRun, job: CronJob | null, status: RunStatus, reason: string): Promise<void> {
    const { store, events, owner, failing } = this.#options;
    const ended = this.#ended(run, job, owner, { status, exitCode: null, reason });
    if (!(await this.#write(run, () => store.endRun(ended)))) return;
    if (status === "failed") await events.ended(job, run, ended, 0);
    else await events.missed(job, { ...run, status, reason });
    await failing.look(job, run, ended);
  }

  #ended(run: CronRun, job: CronJob | null, owner: string, outcome: TaskOutcome): CronRunEnded {
    const { status, exitCode: exit_code, reason } = outcome;
    const nowMs = this.#options.clock.now();
    const retry = retryOf(run, job, status, nowMs);
    const { run_id } = run;
    return { kind: "cron_run_ended", run_id, owner, status, ended_at: iso(nowMs), exit_code, reason, retry };
  }

  /** What has happened has to be written, also when the disk is full just now. False: it could not be. */
  #write(run: CronRun, write: () => Promise<unknown>): Promise<boolean> {
    const { clock, log } = this.#options;
    const { run_id, job_id } = run;
    const onProblem = (error: SwarmError) => log.warn(`run ${run_id}: ${error.message}`, { job_id });
    return persistently(write, { clock, signal: this.#cutOff.signal, onProblem });
  }
}

/** What cannot be judged is not run. */
function unjudged(error: unknown): RunPermission {
  if (!(error instanceof SwarmError)) throw error;
  return { verdict: "deny", reason: `it could not be judged: ${error.message}` };
}
