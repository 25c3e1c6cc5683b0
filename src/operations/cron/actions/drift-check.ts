import { SwarmError } from "../../../base/errors.ts";
import type { Drift } from "../../drift/drift.ts";
import { driftFields, driftProblem } from "../../drift/settings.ts";
import type { TaskKind } from "../port/task.ts";

export interface DriftCheckOptions {
  readonly drift: () => Promise<Drift>;
}

/** A drift check by its schedule. Drift is what it looks for: finding some is a run that was done, with something to see. */
export function driftCheckTask({ drift }: DriftCheckOptions): TaskKind {
  return {
    doc: "Compares recent data with a baseline and raises an alert over a threshold.",
    fields: driftFields,
    check: driftProblem,
    async plan(config, cwd) {
      return (await (await drift()).plan(config, cwd)).lines;
    },
    async run(config, { run_id: check_id, name, cwd, signal, print }) {
      print(`comparing with ${String(config.baseline ?? config.baseline_run_id ?? config.model)}\n`);
      const call = { check_id, name, cwd, actor: "swarm", signal };
      const checked = await (await drift()).check(config, call).catch(asProblem);
      if (typeof checked === "string") return { exitCode: null, problem: checked };
      const { result, report_path } = checked;
      const { baseline, window, message, findings, is_drift } = result;
      print(`baseline: ${baseline.rows} records of ${baseline.source}\n`);
      print(`window: ${window.rows} records of ${window.source}\n`);
      for (const finding of findings) print(`${finding.message}\n`);
      print(`${message}\nreport: ${report_path}\n`);
      return { exitCode: null, problem: null, finding: is_drift ? message : null };
    },
  };
}

/** Data that are not there or cannot be read: a run that failed, and no mistake of ours. */
function asProblem(error: unknown): string {
  if (!(error instanceof SwarmError)) throw error;
  return error.message;
}
