-- One run of a pipeline at a time, whoever starts them.
create unique index pipeline_runs_running on pipeline_runs (file, pipeline) where status = 'running'
