create index run_events_by_session on run_events (session, seq) where session is not null
