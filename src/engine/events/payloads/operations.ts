import { anything, integer, joined, nullable, number, object, oneOf, required, text } from "../schema.ts";
import { conversation } from "./common.ts";

const approval = joined(
  {
    approval_id: required(text("The approval.")),
    name: required(text("What approval is asked for: a tool, a job, a merge.")),
    digest: text("SHA-256 of exactly what was asked."),
    rule: text("Rule that asked."),
    reason: text("Why approval is needed."),
  },
  conversation,
);

export const approvalRequested = joined(
  {
    expires_at: text("When it lapses, ISO 8601."),
    requested_by: text("Who needs it."),
    subject: object("Exactly what was asked."),
  },
  approval,
);

export const approvalDecided = joined(
  {
    decision: required(oneOf(["approved", "denied", "expired"], "What was decided.")),
    decided_by: text("Who decided."),
    signed_by: text("Id of the approver's key that has signed the approval, where one has."),
    comment: text("What they said."),
  },
  approval,
);

const cronRun = joined(
  {
    name: required(text("Name of the job.")),
    job_id: required(text("The job.")),
    run_id: text("This run."),
    task: text("Kind of task: `custom`, `retention`, `retrain`, `drift_check`, `audit_pdf`."),
    schedule: text("Schedule of the job."),
    scheduled_at: text("When it was due, ISO 8601."),
    attempt: integer("Attempts so far, this one included."),
    trigger: oneOf(["schedule", "manual", "catch-up", "retry"], "Why it runs."),
  },
  conversation,
);

export const cronFired = joined(
  {
    config: object("Configuration of the task."),
  },
  cronRun,
);

export const cronCompleted = joined(
  {
    lateness_s: number("From when it was due to when it started, in seconds."),
    duration_s: number("How long it ran, in seconds."),
    output_path: text("File with its output."),
  },
  cronRun,
);

export const cronFailed = joined(
  {
    error: required(text("What went wrong.")),
    lateness_s: number("From when it was due to when it started, in seconds."),
    retry_at: text("When it is tried again, ISO 8601; not there when it is not."),
    exit_code: nullable(integer("Exit code; null when a signal ended it.")),
    duration_s: number("How long it ran, in seconds."),
    output_path: text("File with its output."),
  },
  cronRun,
);

export const cronMissed = joined(
  {
    reason: text("Why it could not run."),
    missed_count: integer("How many slots did not run, the one named by scheduled_at first."),
  },
  cronRun,
);

const batchRun = joined(
  {
    run_id: required(text("The run.")),
    name: text("Name of the run."),
    processor: text("Processor: `echo`, `custom`, `command`, `inference`."),
  },
  conversation,
);

export const batchStarted = joined(
  {
    input: text("File the records come from."),
    config: object("Configuration of the processor."),
    concurrency: integer("Workers at once."),
    output: text("Folder the results go to."),
    leg: integer("Which leg: 1, and one more for each time it is taken up again."),
  },
  batchRun,
);

const batchCounts = {
  done_count: integer("Records with a result."),
  failed_count: integer("Records with an error."),
  duration_s: number("How long it ran, in seconds, earlier legs included."),
};

export const batchCheckpoint = joined(
  {
    offset_bytes: integer("Durable length of the results."),
  },
  joined(batchCounts, batchRun),
);

export const batchCompleted = joined(
  {
    state: oneOf(["completed", "completed_with_errors"], "Whether every record has a result."),
    output: text("File with the results."),
    errors: text("File with the records that failed; only where some did."),
    stats: object("Aggregated results."),
  },
  joined(batchCounts, batchRun),
);

export const batchFailed = joined(
  {
    error: required(text("What went wrong.")),
  },
  joined(batchCounts, batchRun),
);

export const alertRaised = joined(
  {
    name: required(text("Name of the alert.")),
    level: text("Severity: `info`, `warning`, `critical`."),
    message: text("What happened."),
    value: number("What was measured."),
    threshold: number("What was allowed."),
    details: object("More about it."),
  },
  conversation,
);

export const hookFailed = joined(
  {
    name: required(text("Name of the hook that failed.")),
    event: required(text("Event it was called for.")),
    event_id: text("Id of that event."),
    status: required(oneOf(["failed", "timed_out", "skipped"], "How it failed.")),
    code: required(text("Code of the error, see docs/errors.md.")),
    error: required(text("What went wrong.")),
    kind: text("Kind of handler."),
    mode: text("Mode of the hook."),
    plugin: nullable(text("Plugin the hook belongs to.")),
    on_failure: oneOf(["allow", "deny"], "What the failure meant for the action."),
    timeout_ms: number("Its deadline, in milliseconds."),
  },
  conversation,
);

export const configChanged = joined(
  {
    name: required(text("File that changed.")),
    error: nullable(text("Why the new content was refused; null when it is in force.")),
    hook_count: integer("Hooks in force now."),
  },
  conversation,
);

export const nativeUnknown = joined(
  {
    name: required(text("The native event's name.")),
    source: text("Agent it came from."),
    payload: anything("The native payload, as it came."),
  },
  conversation,
);
