update delivery_targets set owner = null, lease_until_ms = 0 where owner = ?
