-- One statement, so that of two who begin runs of a job at once the second finds the first.
update cron_runs set status = 'running', owner = ?
where run_id = ? and status = 'queued' and (
  (select overlap from cron_jobs where cron_jobs.job_id = cron_runs.job_id) = 'allow' or not exists (
    select 1 from cron_runs as other
    where other.job_id = cron_runs.job_id and other.ended_at is null and other.status <> 'queued'
  )
)
