import { AuditPdfDesk, type AuditPdfDeskOptions } from "../../record/pdf/service.ts";
import { BatchDesk, type BatchDeskOptions } from "../../operations/batch/service.ts";
import { CronDesk, type CronDeskOptions } from "../../operations/cron/service.ts";
import { DriftDesk, type DriftDeskOptions } from "../../operations/drift/service.ts";
import { PipelineDesk, type PipelineDeskOptions } from "../../operations/pipelines/service.ts";
import { RetentionDesk } from "../../operations/retention/service.ts";

type DeskOptions = CronDeskOptions &
  PipelineDeskOptions &
  Omit<DriftDeskOptions, "batch" | "pipelines"> &
  Pick<BatchDeskOptions, "trust">;

export interface WorkOptions
  extends AuditPdfDeskOptions,
    Omit<DeskOptions, "pipelines" | "pdf" | "drift" | "retention"> {
  /** With changes that are written with the event's row. */
  readonly emitWith: BatchDeskOptions["emit"];
}

/** What goes on beside the events and tells of itself by them: jobs, and what they or people have done. */
export class Work {
  readonly pipelines: PipelineDesk;
  readonly batch: BatchDesk;
  readonly drift: DriftDesk;
  readonly pdf: AuditPdfDesk;
  readonly retention: RetentionDesk;
  readonly cron: CronDesk;

  constructor(options: WorkOptions) {
    this.pipelines = new PipelineDesk(options);
    this.batch = new BatchDesk({ ...options, emit: options.emitWith });
    this.drift = new DriftDesk({ ...options, pipelines: this.pipelines, batch: this.batch });
    this.pdf = new AuditPdfDesk(options);
    this.retention = new RetentionDesk(options);
    const { pipelines, pdf, retention } = this;
    this.cron = new CronDesk({ ...options, pipelines, pdf, retention, drift: () => this.drift.open() });
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
