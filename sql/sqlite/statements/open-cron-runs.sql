select * from cron_runs where ended_at is null and status <> 'queued' order by seq
