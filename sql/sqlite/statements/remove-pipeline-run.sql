delete from pipeline_runs where run_id = ?
