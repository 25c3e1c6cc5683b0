import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { show } from "../../base/show.ts";
import type { JsonObject } from "../../engine/events/schema.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { JobSettings, StoredJob, StoredRun } from "./port/cron-job.ts";
import type { CronStore, JobQuery } from "./port/cron-store.ts";
import type { DeniedNow, MayRun } from "../port/may-run.ts";
import type { Page } from "../../store/port/store.ts";
import { Daemons } from "./daemons.ts";
import { type DeclarationProblem, type Declarations, syncDeclared } from "./declared.ts";
import { newRun } from "./due.ts";
import { checkJob } from "./check-job.ts";
import { CronEvents } from "./events.ts";
import { Failing } from "./failing.ts";
import { Jobs } from "./jobs.ts";
import { type ImportReport, importJobs, jobsFileText } from "./jobs-file.ts";
import { Mirror, type MirrorEdit } from "./mirror.ts";
import { type Preview, previewSchedule } from "./preview.ts";
import { manualSlot } from "./retry.ts";
import { Runner } from "./runner.ts";
import { Scheduler } from "./scheduler.ts";
import type { TaskKinds } from "./settings.ts";
import { iso } from "./slots.ts";

export interface CronOptions {
  readonly home: string;
  readonly store: CronStore;
  readonly audit: Audit;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly log: Log;
  readonly kinds: TaskKinds;
  readonly mayRun: MayRun;
  readonly deniedNow: DeniedNow;
  /** Whether jobs run by their schedules. */
  readonly isOn: () => boolean;
  /** What configuration files say of scheduled work. */
  readonly declared: {
    /** As they are now; the same object as long as they say the same. */
    settings(): Declarations;
    /** Has the next look take all files anew. */
    forget(): void;
  };
  /** How long runs are kept unless somebody says otherwise. */
  readonly keptDays: () => number;
}

export interface JobPlan extends Preview {
  readonly job: JobSettings;
  /** What a run would do, a line each. */
  readonly does: readonly string[];
  /** What would keep a run from being done now. */
  readonly warnings: readonly string[];
}

const forgottenAtOnce = 500;

/** Scheduled work: the jobs, and in a daemon what runs them. */
export class Cron {
  readonly jobs: Jobs;
  readonly #options: CronOptions;
  readonly #mirror: Mirror;
  readonly #daemons: Daemons;
  readonly #runner: Runner;
  readonly #scheduler: Scheduler;
  #synced: Declarations | null = null;
  #problems: readonly DeclarationProblem[] = [];

  constructor(options: CronOptions) {
    const { home, store, clock, log, emit } = options;
    this.#options = options;
    const folder = join(home, "cron");
    this.#mirror = new Mirror(join(folder, "jobs.json"), () => jobsFileText(store), clock, log);
    this.#daemons = new Daemons(store, clock);
    const wake = (): void => void this.#scheduler.wake();
    const onChanged = (): void => {
      this.#mirror.touch();
      wake();
    };
    this.jobs = new Jobs({ ...options, onChanged });
    const events = new CronEvents(emit, log);
    const outputFolder = join(folder, "output");
    const owner = this.#daemons.id;
    const pause = async (jobId: string, why: string) => {
      await this.jobs.change(jobId, { enabled: false }, "swarm", why);
    };
    const failing = new Failing({ ...options, pause });
    this.#runner = new Runner({ ...options, events, outputFolder, owner, failing, onEnded: wake });
    this.#scheduler = new Scheduler({
      ...options,
      events,
      runner: this.#runner,
      daemons: this.#daemons,
      syncDeclared: () => this.syncDeclared(),
      checkMirror: () => void this.#mirror.check(),
    });
  }

  /** Why declarations of the configuration are not in force. */
  get problems(): readonly DeclarationProblem[] {
    return this.#problems;
  }

  list(query: JobQuery): Promise<StoredJob[]> {
    return this.#options.store.listJobs(query);
  }

  lastRun(jobId: string): Promise<StoredRun | null> {
    return this.#options.store.lastRun(jobId);
  }

  async runs(jobId: string, page: Page): Promise<StoredRun[]> {
    const runs = await this.#options.store.listRuns(jobId, page);
    // Runs outlive their job; an id that never was one is a mistake.
    if (runs.length === 0 && page.beforeSeq === undefined) await this.jobs.find(jobId);
    return runs;
  }

  async findRun(runId: string): Promise<StoredRun> {
    const found = await this.#options.store.findRun(runId);
    if (found === null) throw new SwarmError("SWARM_CRON_RUN_UNKNOWN", { run: runId });
    return found;
  }

  /**
   * Runs a job now, whatever its schedule says, and without a scheduler too. Resolves when its task has begun, it waits for
   * an approval, or it is over.
   */
  async run(jobId: string, actor: string): Promise<StoredRun> {
    const { store, audit, clock } = this.#options;
    const job = await this.jobs.find(jobId);
    const now = iso(clock.now());
    const times = { scheduled_at: now, due_at: now, created_at: now };
    const run = newRun(job, { slot: "", trigger: "manual", ...times });
    const named = { ...run, slot: `${manualSlot}${run.run_id}` };
    if (!(await store.addRun(named, job.overlap !== "skip")))
      throw new SwarmError("SWARM_CRON_JOB_BUSY", { name: job.name });
    await audit.record({
      kind: "change",
      event: "job.run",
      actor,
      reason: `${show(job.name)} (${run.run_id})`,
    });
    await this.#daemons.beat();
    await this.#runner.begin(named);
    await this.#runner.placed(named.run_id);
    return this.findRun(run.run_id);
  }

  /** What a job would do if it were made, and when; every value of it is checked. */
  async plan(given: JsonObject): Promise<JobPlan> {
    const settings = this.jobs.settings(given);
    const kind = this.#options.kinds[settings.task];
    const does = (await kind?.plan?.(settings.config, settings.cwd)) ?? [kind?.doc ?? settings.task];
    const warnings = await this.warningsOf(settings);
    return { job: settings, ...(await this.preview(settings.schedule, settings.tz)), does, warnings };
  }

  /** What would keep a run of this job from being done if it began now. */
  warningsOf(settings: JobSettings): Promise<string[]> {
    return checkJob(settings, this.#options.clock.now(), this.#options);
  }

  preview(schedule: string, tz: string | undefined): Promise<Preview> {
    return previewSchedule(schedule, tz, this.#options.clock.now());
  }

  async export(): Promise<{ readonly jobs: readonly JsonObject[] }> {
    let text = "";
    for await (const part of jobsFileText(this.#options.store)) text += part;
    return JSON.parse(text) as { jobs: JsonObject[] };
  }

  import(given: unknown, actor: string): Promise<ImportReport> {
    return importJobs(this.jobs, given, actor, this.#options.clock.now());
  }

  /** Has the jobs be as the configuration declares them, if it has changed. */
  async syncDeclared(): Promise<void> {
    const settings = this.#options.declared.settings();
    if (settings === this.#synced) return;
    const wrong = await syncDeclared(this.jobs, this.#options.store, settings);
    this.#synced = settings;
    this.#problems = [...(settings.refused ?? []), ...wrong];
    for (const { name, problem } of this.#problems) this.#options.log.warn(problem, { job: name });
  }

  /** Which projects' jobs may run was decided anew. */
  async redeclare(): Promise<void> {
    const { declared, log } = this.#options;
    declared.forget();
    try {
      await this.syncDeclared();
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      // What was decided stands; the next look of the scheduler tries again.
      log.warn(error.message, { code: error.code });
    }
  }

  /** Forgets runs that ended this many days ago, with their output; tells how many. */
  async forgetRuns(keptDays: number | null = null): Promise<number> {
    const days = keptDays ?? this.#options.keptDays();
    const endedBefore = iso(this.#options.clock.now() - days * 86_400_000);
    for (let count = 0; ; ) {
      const forgotten = await this.#options.store.forgetRuns(endedBefore, forgottenAtOnce);
      for (const { output_path } of forgotten) if (output_path !== null) rmSync(output_path, { force: true });
      count += forgotten.length;
      if (forgotten.length < forgottenAtOnce) return count;
    }
  }

  /** Edits of jobs.json by hand, which change nothing. */
  mirrorEdits(): Promise<MirrorEdit[]> {
    return this.#mirror.edits();
  }

  /** Runs jobs by their schedules from now on. */
  async start(): Promise<void> {
    this.#mirror.touch();
    await this.#scheduler.start();
  }

  /** Looks now at what is due. */
  tick(): Promise<void> {
    return this.#scheduler.wake();
  }

  /** Claims nothing more; what is under way goes on. */
  pause(): Promise<void> {
    return this.#scheduler.stop();
  }

  /** Ends every task at once. */
  abort(): void {
    this.#runner.abort();
  }

  async stop(): Promise<void> {
    await this.#scheduler.stop();
    await this.#runner.close();
    await this.#daemons.leave();
    await this.#mirror.flush();
  }
}
