create index cron_jobs_due on cron_jobs (due_at) where due_at is not null
