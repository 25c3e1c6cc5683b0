import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { loadUserConfig } from "../../config/load.ts";
import type { Cron } from "./cron.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Drift } from "../drift/drift.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Store } from "../../store/port/store.ts";
import type { AuditPdfService } from "../../record/pdf/service.ts";
import { DeclaredJobs, type DeclaredJobsOptions } from "./declared-jobs.ts";
import { type MayRunOptions, mayRunBy } from "../may-run.ts";
import type { PipelineService } from "../pipelines/service.ts";
import type { RetentionService } from "../retention/service.ts";
import { retrainBy } from "./retrain-by.ts";

export interface CronServiceOptions extends MayRunOptions, DeclaredJobsOptions {
  readonly clock: Clock;
  readonly store: Store;
  readonly audit: Audit;
  readonly emit: Emit;
  /** Whether jobs run by their schedules. */
  readonly isOn: () => boolean;
  readonly pipelines: PipelineService;
  readonly expirePayloads: (days: number | null) => Promise<number>;
  readonly pdf: AuditPdfService;
  readonly drift: () => Promise<Drift>;
  readonly retention: RetentionService;
}

/** Scheduled work; loaded when it is first asked for, as most commands do without. */
export class CronService {
  readonly #options: CronServiceOptions;
  readonly #declared: DeclaredJobs;
  #opening: Promise<Cron> | null = null;
  #isCutOff = false;

  constructor(options: CronServiceOptions) {
    this.#options = options;
    this.#declared = new DeclaredJobs(options);
  }

  /** Put together, with its jobs as the configuration declares them. */
  open(): Promise<Cron> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null; // a store that was busy may not be next time
      throw error;
    });
    return this.#opening;
  }

  /** Forgets runs that ended this many days ago, by default as the user's file has it for payloads; tells how many. */
  async forgetRuns(keptDays: number | null = null): Promise<number> {
    const days = keptDays ?? loadUserConfig(this.#options).audit.payloadRetentionDays;
    const endedBefore = new Date(this.#options.clock.now() - days * 86_400_000).toISOString();
    return (await this.open()).forgetRuns(endedBefore);
  }

  /** Which projects' jobs may run was decided anew. */
  async redeclare(): Promise<void> {
    this.#declared.forget();
    try {
      await (await this.#opening)?.syncDeclared();
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      // What was decided stands; the next look of the scheduler tries again.
      this.#options.log.warn(error.message, { code: error.code });
    }
  }

  /** Has the scheduler look at once, if there is one: whether it may has changed. */
  wake(): void {
    this.#opening?.then(
      (cron) => cron.tick(),
      () => undefined, // told whoever asked for it
    );
  }

  /** Ends every task at once. */
  cutOff(): void {
    this.#isCutOff = true;
    this.#opening?.then(
      (cron) => cron.cutOff(),
      () => undefined, // told whoever asked for it
    );
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.close();
  }

  async #open(): Promise<Cron> {
    const [{ Cron }, { taskKinds }] = await Promise.all([import("./cron.ts"), import("./actions/index.ts")]);
    const { home, store, env, clock, log, audit, emit, isOn, expirePayloads, pdf, drift } = this.#options;
    const { retention: work } = this.#options;
    const settings = () => this.#declared.settings();
    const forgetRuns = (days: number | null) => this.forgetRuns(days);
    const kinds = taskKinds({
      env,
      sandbox: () => settings().sandbox,
      expirePayloads,
      forgetRuns,
      work,
      ...retrainBy(this.#options.pipelines),
      ...pdf.forTasks(),
      drift,
    });
    const mayRun = mayRunBy(this.#options);
    const cron = new Cron({
      home,
      store: store.cron,
      clock,
      log,
      audit,
      emit,
      kinds,
      mayRun,
      isOn,
      settings,
    });
    if (this.#isCutOff) cron.cutOff();
    await cron.syncDeclared();
    return cron;
  }
}
