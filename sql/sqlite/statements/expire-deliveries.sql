delete from deliveries where state <> 'pending' and ended_at_ms < ?
