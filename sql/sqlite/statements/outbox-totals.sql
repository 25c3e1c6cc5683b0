select
  (select count(*) from deliveries where state = 'pending') as pending,
  (select count(*) from deliveries where state = 'dead' and ended_at_ms is not null) as dead,
  (select count(*) from delivery_targets where failures > 0 and next_at_ms is not null) as open_targets
