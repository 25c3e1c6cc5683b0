create index model_versions_by_run on model_versions (run_id)
