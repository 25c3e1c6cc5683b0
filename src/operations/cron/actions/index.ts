import type { TaskKind } from "../port/task.ts";
import { type AuditPdfOptions, auditPdfTask } from "./audit-pdf.ts";
import { type CustomOptions, customTask } from "./custom.ts";
import { type DriftCheckOptions, driftCheckTask } from "./drift-check.ts";
import { type RetentionOptions, retentionTask } from "./retention.ts";
import { type RetrainOptions, retrainTask } from "./retrain.ts";

/** Every kind of task, by the name jobs use. */
export function taskKinds(
  options: CustomOptions & RetentionOptions & RetrainOptions & DriftCheckOptions & AuditPdfOptions,
): Readonly<Record<string, TaskKind>> {
  return {
    custom: customTask(options),
    retention: retentionTask(options),
    retrain: retrainTask(options),
    audit_pdf: auditPdfTask(options),
    drift_check: driftCheckTask(options),
  };
}
