import type { DatabaseSync } from "node:sqlite";

const time = "2026-01-02T03:04:05.678Z";
const batchSpec = JSON.stringify({ input: "/work/in.jsonl", output: "/work/out", processor: "echo" });
const owner = '{"place":"x","pid":1,"born":null}';

/** What a record of this length has beside it: approvals, deliveries and runs, as many as there would be. */
export function fillBeside(database: DatabaseSync, rows: number): void {
  database.exec("begin");
  fill(database, "approvals", rows / 200, (at) => ({
    id: `appr_${at}`,
    digest: `digest-${at}`,
    status: at % 2 === 0 ? "denied" : "expired",
    event: "tool.before",
    name: "rm",
    subject: "{}",
    task: `task-${at}`,
    requested_by: "agent:claude-code",
    requested_at: time,
    expires_at: time,
    intent_id: `evt_${at}`,
  }));
  fill(database, "deliveries", rows / 10, (at) => ({
    id: `del_${at}`,
    event: "tool.after",
    event_id: `evt_${at}`,
    hook_id: at < 10 ? "hook_old" : "hook_webhook",
    hook: "webhook",
    target: `target-${at % 10}`,
    body: '{"tool_name":"Bash"}',
    created_at_ms: at,
    state: at % 50 === 0 ? "dead" : "delivered",
    attempts: 1,
    retries: 0,
    ended_at_ms: Date.now(),
  }));
  for (let at = 0; at < 10; at++)
    put(database, "delivery_targets", { target: `target-${at}`, failures: 0, lease_until_ms: 0 });
  fill(database, "cron_jobs", rows / 1_000, (at) => ({
    job_id: `job_${at}`,
    name: `job-${at}`,
    overlap: "skip",
    settings: JSON.stringify({ schedule: "0 0 1 1 *", action: "command", command: "true" }),
    anchor_at: time,
    revision: 1,
    created_at: time,
    created_by: "human:owner",
    updated_at: time,
  }));
  fill(database, "cron_runs", rows / 50, (at) => ({
    run_id: `run_${at}`,
    job_id: "job_0",
    job_name: "job-0",
    task: `task-${at}`,
    slot: `slot-${at}`,
    attempt: 1,
    trigger: "schedule",
    status: "completed",
    scheduled_at: time,
    due_at: time,
    created_at: time,
    started_at: time,
    ended_at: new Date().toISOString(),
    slot_count: 1,
  }));
  fill(database, "pipeline_runs", rows / 500, (at) => ({
    run_id: `prun_${at}`,
    pipeline: at < 10 ? "old" : "train",
    file: "/work/swarm.yaml",
    folder: "/work",
    model: "churn",
    status: "completed",
    trigger: "manual",
    actor: "human:owner",
    is_forced: 0,
    owner,
    intent_id: `evt_${at}`,
    version: at + 1,
    started_at: time,
    ended_at: new Date().toISOString(),
  }));
  fill(database, "model_versions", rows / 500, (at) => ({
    model: "churn",
    version: at + 1,
    run_id: `prun_${at}`,
    digest: `digest-${at}`,
    metrics: "{}",
    lineage: "{}",
    created_at: time,
    created_by: "human:owner",
  }));
  fill(database, "batch_runs", rows / 500, (at) => ({
    run_id: `batch_${at}`,
    processor: "echo",
    state: at < 10 ? "failed" : "completed",
    spec: batchSpec,
    leg: 1,
    owner,
    created_at: time,
    created_by: "human:owner",
    ended_at: new Date().toISOString(),
    done_count: 1,
    failed_count: 0,
    input_bytes: 1,
    results_bytes: 1,
    errors_bytes: 0,
    duration_ms: 1,
  }));
  fill(database, "plugin_shell_executions", rows / 20, (at) => ({
    time,
    plugin: at < 10 ? "old" : "guard",
    hook: "hook",
    event: "tool.before",
    event_id: `evt_${at}`,
    argv: '["true"]',
    digest: "0",
    ending: "exited",
    exit_code: 0,
    ms: 1,
    bytes: 0,
  }));
  database.exec("commit");
}

type Columns = Readonly<Record<string, string | number>>;

function fill(
  database: DatabaseSync,
  table: string,
  count: number,
  columnsAt: (at: number) => Columns,
): void {
  for (let at = 0; at < count; at++) put(database, table, columnsAt(at));
}

function put(database: DatabaseSync, table: string, columns: Columns): void {
  const names = Object.keys(columns);
  const marks = names.map(() => "?").join(", ");
  database
    .prepare(`insert into ${table} (${names.join(", ")}) values (${marks})`)
    .run(...Object.values(columns));
}
