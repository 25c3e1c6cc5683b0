import type { TaskKind } from "../ports/task.ts";
import { type CustomOptions, customTask } from "./custom.ts";
import { type DriftCheckOptions, driftCheckTask } from "./drift-check.ts";
import { plannedTasks } from "./planned.ts";
import { type RetentionOptions, retentionTask } from "./retention.ts";
import { type RetrainOptions, retrainTask } from "./retrain.ts";

/** Every kind of task, by the name jobs use. */
export function taskKinds(
  options: CustomOptions & RetentionOptions & RetrainOptions & DriftCheckOptions,
): Readonly<Record<string, TaskKind>> {
  return {
    custom: customTask(options),
    retention: retentionTask(options),
    retrain: retrainTask(options),
    drift_check: driftCheckTask(options),
    ...plannedTasks,
  };
}
