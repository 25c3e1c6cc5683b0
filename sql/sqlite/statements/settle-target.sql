-- After its deliveries are settled: with none left it waits for nothing.
update delivery_targets
set failures = ?,
  last_error = ?,
  next_at_ms = iif(exists (select 1 from deliveries where target = ? and state = 'pending'), ?, null),
  owner = null,
  lease_until_ms = 0
where target = ?
