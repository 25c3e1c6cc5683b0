-- After its deliveries are settled: with none left it waits for nothing.
update delivery_targets
set failures = ?2,
  last_error = ?3,
  next_at_ms = iif(exists (select 1 from deliveries where target = ?1 and state = 'pending'), ?4, null),
  owner = null,
  lease_until_ms = 0
where target = ?1
