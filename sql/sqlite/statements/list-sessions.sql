select session, min(time) as started_at, max(time) as last_at, max(seq) as last_seq, count(*) as events,
  sum(verdict = 'deny') as denials, max(agent) as agent, max(source) as source, max(cwd) as cwd
from run_events
where session is not null
group by session
having max(seq) < :before_seq
order by max(seq) desc
limit :limit
