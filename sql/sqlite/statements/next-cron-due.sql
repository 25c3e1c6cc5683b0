-- A queued run that is due already waits for another to end, not for a time.
select min(due_at) as due_at from (
  select min(due_at) as due_at from cron_jobs where due_at is not null
  union all
  select min(due_at) from cron_runs where ended_at is null and status = 'queued' and due_at > ?
)
