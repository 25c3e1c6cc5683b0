select count(*) as count from payloads where seq in (
  select seq from run_events
  where time < ?
    and event not in ('approver.added', 'approver.removed', 'approver.required')
    and not (event = 'approval.requested' and kind = 'outcome' and after_hash is not null)
)
