-- What became of a hook's last thousand calls, and of the last of them.
with calls as (
  select seq, status, verdict, reason from hook_runs where hook_id = ? order by seq desc limit 1000
)
select count(*) as calls,
  coalesce(sum(status in ('failed', 'timed_out')), 0) as failures,
  coalesce(sum(verdict = 'deny'), 0) as denials,
  (select status from calls limit 1) as last_status,
  (select reason from calls limit 1) as last_reason,
  (select time from run_events where seq = (select seq from calls limit 1)) as last_at
from calls
