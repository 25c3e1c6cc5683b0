import { AuditPdfDesk, type AuditPdfDeskOptions } from "./audit-pdf-desk.ts";
import { BatchDesk, type BatchDeskOptions } from "./batch-desk.ts";
import { CronDesk, type CronDeskOptions } from "./cron-desk.ts";
import { DriftDesk, type DriftDeskOptions } from "./drift-desk.ts";
import { PipelineDesk, type PipelineDeskOptions } from "./pipeline-desk.ts";
import { RetentionDesk } from "./retention-desk.ts";

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
