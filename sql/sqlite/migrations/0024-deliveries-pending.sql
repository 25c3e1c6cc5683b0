create index deliveries_pending on deliveries (target, seq) where state = 'pending'
