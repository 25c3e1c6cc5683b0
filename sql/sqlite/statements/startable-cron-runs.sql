select cron_runs.* from cron_runs left join cron_jobs using (job_id)
where ended_at is null and status = 'queued' and cron_runs.due_at <= ? and (overlap = 'allow' or not exists (
  select 1 from cron_runs as other
  where other.job_id = cron_runs.job_id and other.ended_at is null and other.status <> 'queued'
))
order by cron_runs.due_at, cron_runs.seq limit ?
