create index run_events_denied on run_events (seq) where verdict = 'deny'
