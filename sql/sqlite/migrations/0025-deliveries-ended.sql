create index deliveries_ended on deliveries (state, ended_at_ms) where ended_at_ms is not null
