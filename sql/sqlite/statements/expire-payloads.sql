delete from payloads where seq in (
  select seq from run_events
  where time < ? and event not in ('approver.added', 'approver.removed', 'approver.required')
)
