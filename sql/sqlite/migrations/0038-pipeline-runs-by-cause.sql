create index pipeline_runs_by_cause on pipeline_runs (cause, seq) where cause is not null
