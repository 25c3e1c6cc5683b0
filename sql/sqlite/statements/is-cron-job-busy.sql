select 1 from cron_runs
where job_id = ? and ended_at is null and (status <> 'queued' or due_at <= ?)
limit 1
