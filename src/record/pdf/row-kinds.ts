import type { RunEvent } from "../port/run-event.ts";

const runEnds = /^(cron|batch|pipeline)\.(completed|failed|missed)$/;
const runStarts = /^(cron\.fired|batch\.started|pipeline\.started)$/;
const pipelineSource = "swarm/pipeline";

/** A run is over. Pipelines tell of theirs as sessions. */
export function isRunEnd({ kind, event, source }: RunEvent): boolean {
  return kind === "emit" && (runEnds.test(event) || (event === "session.end" && source === pipelineSource));
}

export function isRunStart({ kind, event, source }: RunEvent): boolean {
  return (
    kind === "emit" && (runStarts.test(event) || (event === "session.start" && source === pipelineSource))
  );
}

/** A question that was decided with no is an approval that was not given; what it kept from happening is a denial of its own. */
export function isDenial({ kind, event, verdict, outcome }: RunEvent): boolean {
  return kind === "emit" ? verdict === "deny" : outcome === "denied" && event !== "approval.requested";
}

export function isApproval({ kind, event }: RunEvent): boolean {
  return kind === "emit" && event === "approval.decided";
}

export function isQuestion({ kind, event }: RunEvent): boolean {
  return kind === "emit" && event === "approval.requested";
}

export function isFailure({ outcome, event, kind }: RunEvent): boolean {
  return outcome === "failed" || (kind === "emit" && event.endsWith(".failed"));
}

export function isDriftCheck({ kind, event }: RunEvent): boolean {
  return kind === "change" && event === "drift.checked";
}

/** Written with a change of the store, and no change of what holds: how runs go on, and questions about them. */
const ofRuns = new Set(["pipeline.data", "pipeline.step", "batch.started", "approval.used", "drift.checked"]);

export function isChange({ kind, event }: RunEvent): boolean {
  if (kind === "change") return !ofRuns.has(event);
  return (kind === "emit" && event === "config.changed") || (kind === "intent" && event === "runs.forgotten");
}
