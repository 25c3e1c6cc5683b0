select min(max(next_at_ms, lease_until_ms)) as next_at_ms from delivery_targets where next_at_ms is not null
