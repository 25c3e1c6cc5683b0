import { SwarmError } from "../base/errors.ts";
import { type Fields, integer, oneOf, text } from "../events/schema.ts";
import type { TaskKind } from "../ports/task.ts";

/** Kinds that are checked when a job is made, and whose runs fail with a word about it until they can be done. */
export const plannedTasks: Readonly<Record<string, TaskKind>> = {
  audit_pdf: planned(
    "audit_pdf",
    "Writes the record of a run, a promotion or a range of dates as a PDF.",
    {
      kind: oneOf(["run", "promotion", "rollup"], "What it covers; default rollup."),
      run_id: text("The run or promotion."),
      from: text("First day of a rollup, ISO."),
      to: text("Last day of a rollup, ISO."),
      days: integer("Or the last so many days."),
      output: text("Folder it is written to."),
    },
    [],
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
