create unique index run_events_by_id on run_events (id)
