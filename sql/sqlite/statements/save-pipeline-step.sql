insert into pipeline_steps (run_id, step, status, digest, tries, exit_code, reason, outputs, metrics, made_by, log_path,
  started_at, ended_at)
select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
where exists (select 1 from pipeline_runs where run_id = ? and owner = ? and status = 'running')
on conflict (run_id, step) do update set status = excluded.status, digest = excluded.digest, tries = excluded.tries,
  exit_code = excluded.exit_code, reason = excluded.reason, outputs = excluded.outputs, metrics = excluded.metrics,
  made_by = excluded.made_by, log_path = excluded.log_path, started_at = excluded.started_at, ended_at = excluded.ended_at
