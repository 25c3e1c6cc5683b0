select run_events.*, payloads.before as text
from run_events left join payloads using (seq)
where run_events.kind = 'change'
  and run_events.event in ('approver.added', 'approver.removed', 'approver.required')
order by run_events.seq
