-- Of the last thousand denials those from a time on: what it costs does not grow with the record.
select count(*) as denials
from (select time from run_events where verdict = 'deny' order by seq desc limit 1000)
where time >= ?
