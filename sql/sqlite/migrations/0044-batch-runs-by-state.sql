create index batch_runs_by_state on batch_runs (state, seq)
