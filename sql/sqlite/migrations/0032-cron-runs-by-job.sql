create index cron_runs_by_job on cron_runs (job_id, seq)
