delete from deliveries where state in ('delivered', 'dead') and ended_at_ms is not null and ended_at_ms < ?
