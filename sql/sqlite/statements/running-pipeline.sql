select run_id from pipeline_runs where file = ? and pipeline = ? and status = 'running'
