create index cron_runs_ended on cron_runs (ended_at) where ended_at is not null
