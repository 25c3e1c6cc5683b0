-- A slot that is claimed stays whose it is.
insert into cron_runs (run_id, job_id, job_name, task, slot, attempt, trigger, status, scheduled_at, due_at, owner, intent_id,
  created_at, started_at, ended_at, lateness_ms, exit_code, reason, output_path, slot_count)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (job_id, slot, attempt) do nothing
