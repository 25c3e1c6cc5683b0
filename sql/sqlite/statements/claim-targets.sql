update delivery_targets set owner = :owner, lease_until_ms = :lease_until_ms
where target in (
  select target from delivery_targets
  where next_at_ms <= :now_ms and lease_until_ms <= :now_ms
  order by next_at_ms
  limit :limit
)
returning target, failures
