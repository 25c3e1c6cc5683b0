// What only SQLite takes in these words: lists come as JSON arrays, and JSON is read by SQLite's own functions.

export const sqliteOutbox = {
  /** One that waits for something goes on waiting: what is new comes after it, and nothing is written. */
  wakeTargets: `
    insert into delivery_targets (target, failures, next_at_ms, lease_until_ms)
    select value, 0, :next_at_ms, 0 from json_each(:targets) where true
    on conflict (target) do update set next_at_ms = excluded.next_at_ms where next_at_ms is null`,
  /** One that somebody else has by now stays theirs. */
  renewTargets: `
    update delivery_targets set lease_until_ms = :lease_until_ms
    where owner = :owner and target in (select value from json_each(:targets))`,
  /** Of each of the targets as many as the limit says. */
  pending: `
    select d.seq, d.id, d.event, d.event_id, d.hook_id, d.hook, d.target, d.cwd, d.body, d.created_at_ms,
      d.attempts, d.retries, d.last_status, d.last_error
    from json_each(:targets) as t
    join deliveries as d on d.seq in (
      select seq from deliveries where target = t.value and state = 'pending' order by seq limit :limit
    )
    order by d.seq`,
} as const;

export const sqliteApprovals = {
  lastSignatureBy: `
    select signature from approvals
    where signature is not null and json_valid(signature) and signature ->> '$.key_id' = :key_id
    order by decided_at desc limit 1`,
} as const;

export const sqliteRetention = {
  /** Once for all runs: to read the lineage of every version for each of them took seconds. */
  dueBatchRuns: `
    with kept (source) as materialized (
      select source from baselines
      union select json_extract(lineage, '$.data.path') from model_versions
    )
    select * from batch_runs
    where state not in ('running', 'waiting_approval') and ended_at < :ended_before
      and (:ids is null or run_id in (select value from json_each(:ids)))
      and not exists (
        select 1 from kept where source = run_id or instr(source, json_extract(spec, '$.output') || '/') = 1
      )
    order by ended_at, seq limit :limit`,
  duePipelineRuns: `
    select * from pipeline_runs
    where status <> 'running' and ended_at < :ended_before
      and (:ids is null or run_id in (select value from json_each(:ids)))
      and not exists (select 1 from model_versions where model_versions.run_id = pipeline_runs.run_id)
      and not exists (select 1 from pipeline_steps where made_by = pipeline_runs.run_id)
      and not exists (select 1 from baselines where source = pipeline_runs.run_id)
    order by ended_at, seq limit :limit`,
} as const;
