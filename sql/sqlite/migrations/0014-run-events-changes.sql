create index run_events_changes on run_events (event, agent, seq) where kind = 'change'
