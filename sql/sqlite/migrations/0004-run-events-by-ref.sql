create index run_events_by_ref on run_events (ref) where ref is not null
