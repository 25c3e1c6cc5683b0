create index run_events_intents on run_events (seq) where kind = 'intent'
