import { AuditPdfService, type AuditPdfServiceOptions } from "../../record/pdf/service.ts";
import { BatchService, type BatchServiceOptions } from "../../operations/batch/service.ts";
import { CronService, type CronServiceOptions } from "../../operations/cron/service.ts";
import { DriftService, type DriftServiceOptions } from "../../operations/drift/service.ts";
import { PipelineService, type PipelineServiceOptions } from "../../operations/pipelines/service.ts";
import { RetentionService } from "../../operations/retention/service.ts";

type ServiceOptions = CronServiceOptions &
  PipelineServiceOptions &
  Omit<DriftServiceOptions, "batch" | "pipelines"> &
  Pick<BatchServiceOptions, "trust">;

export interface WorkOptions
  extends AuditPdfServiceOptions,
    Omit<ServiceOptions, "pipelines" | "pdf" | "drift" | "retention"> {}

/** What goes on beside the events and tells of itself by them: jobs, and what they or people have done. */
export class Work {
  readonly pipelines: PipelineService;
  readonly batch: BatchService;
  readonly drift: DriftService;
  readonly pdf: AuditPdfService;
  readonly retention: RetentionService;
  readonly cron: CronService;

  constructor(options: WorkOptions) {
    this.pipelines = new PipelineService(options);
    this.batch = new BatchService(options);
    this.drift = new DriftService({ ...options, pipelines: this.pipelines, batch: this.batch });
    this.pdf = new AuditPdfService(options);
    this.retention = new RetentionService(options);
    const { pipelines, pdf, retention } = this;
    this.cron = new CronService({ ...options, pipelines, pdf, retention, drift: () => this.drift.open() });
  }

  cutOff(): void {
    this.cron.cutOff();
    this.pipelines.cutOff();
    this.batch.cutOff();
    this.drift.cutOff();
  }

  /** Pipelines last: a job may be waiting for one. */
  async close(): Promise<void> {
    const ended = await Promise.allSettled([this.cron.close(), this.batch.close()]);
    await this.pipelines.close();
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  }
}
