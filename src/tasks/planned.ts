import { SwarmError } from "../base/errors.ts";
import { type Fields, integer, number, text } from "../events/schema.ts";
import type { TaskKind } from "../ports/task.ts";

/** Kinds that are checked when a job is made, and whose runs fail with a word about it until they can be done. */
export const plannedTasks: Readonly<Record<string, TaskKind>> = {
  drift_check: planned(
    "drift_check",
    "Compares recent data with a baseline and raises an alert over a threshold.",
    {
      model: text("The model."),
      version: text("Its version."),
      baseline_run_id: text("The run to compare with."),
      window_hours: integer("Hours of data to look at."),
      alert_threshold: number("Drift above this raises an alert, 0 to 1."),
      alert_email: text("Who is told."),
    },
    ["model", "baseline_run_id"],
  ),
};

/** `needs`: one of these at least. */
function planned(task: string, doc: string, fields: Fields, needs: readonly string[]): TaskKind {
  return {
    doc,
    fields,
    check(config) {
      if (needs.length > 0 && !needs.some((key) => config[key] !== undefined))
        return { option: needs[0] ?? "", expected: `${needs.join(" or ")} to be given` };
      const low = Object.keys(config).find(
        (key) => typeof config[key] === "number" && Number(config[key]) < 0,
      );
      return low === undefined ? null : { option: low, expected: "a number from 0 on" };
    },
    async run() {
      throw new SwarmError("SWARM_TASK_UNAVAILABLE", { task });
    },
  };
}
