select target, failures, next_at_ms, last_error from delivery_targets order by target
