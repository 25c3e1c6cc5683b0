import type { RunEvent } from "../ports/run-event.ts";

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

export function isDenial({ kind, verdict, outcome }: RunEvent): boolean {
  return kind === "emit" ? verdict === "deny" : outcome === "denied";
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

export function isChange({ kind, event }: RunEvent): boolean {
  return kind === "change" || (kind === "emit" && event === "config.changed");
}
