update pipeline_runs set data = ? where run_id = ? and owner = ? and status = 'running'
