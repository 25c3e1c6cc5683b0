insert into batch_runs (run_id, name, processor, state, reason, spec, leg, owner, runner, intent_id, created_at, created_by,
  started_at, ended_at, done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes, duration_ms)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (run_id) do nothing
