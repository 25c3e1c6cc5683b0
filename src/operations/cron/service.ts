import type { Clock } from "../../base/clock.ts";
import type { Lazy } from "../../base/part.ts";
import { loadUserConfig } from "../../config/load.ts";
import type { Cron } from "./cron.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Drift } from "../drift/drift.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { Store } from "../../store/port/store.ts";
import type { AuditPdfService } from "../../record/pdf/service.ts";
import { DeclaredJobs, type DeclaredJobsOptions } from "./declared-jobs.ts";
import { deniedNowBy, type MayRunOptions, mayRunBy } from "../may-run.ts";
import type { PipelineService } from "../pipelines/service.ts";
import type { Retention } from "../retention/service.ts";
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
  readonly drift: Lazy<Drift>;
  readonly retention: Retention;
}

/** Puts scheduled work together, with its jobs as the configuration declares them. */
export async function openCron(options: CronServiceOptions): Promise<Cron> {
  const [{ Cron }, { taskKinds }] = await Promise.all([import("./cron.ts"), import("./actions/index.ts")]);
  const { env, store, expirePayloads, pipelines, pdf, drift, retention } = options;
  const declared = new DeclaredJobs(options);
  const kinds = taskKinds({
    env,
    sandbox: () => declared.settings().sandbox,
    expirePayloads,
    forgetRuns: (days) => cron.forgetRuns(days),
    work: retention,
    ...retrainBy(pipelines),
    ...pdf.forTasks(),
    drift: () => drift.open(),
  });
  const keptDays = () => loadUserConfig(options).audit.payloadRetentionDays;
  const [mayRun, deniedNow] = [mayRunBy(options), deniedNowBy(options)];
  const cron = new Cron({ ...options, store: store.cron, kinds, mayRun, deniedNow, declared, keptDays });
  await cron.syncDeclared();
  return cron;
}
