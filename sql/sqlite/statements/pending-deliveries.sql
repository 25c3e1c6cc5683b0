-- Of each of the targets, a JSON array of their names, as many as the limit says.
select d.seq, d.id, d.event, d.event_id, d.hook_id, d.hook, d.target, d.cwd, d.body, d.created_at_ms,
  d.attempts, d.retries, d.last_status, d.last_error
from json_each(:targets) as t
join deliveries as d on d.seq in (
  select seq from deliveries where target = t.value and state = 'pending' order by seq limit :limit
)
order by d.seq
