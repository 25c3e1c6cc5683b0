create index cron_runs_open on cron_runs (job_id, status, due_at) where ended_at is null
