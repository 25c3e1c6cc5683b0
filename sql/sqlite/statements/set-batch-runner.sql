update batch_runs set runner = ? where run_id = ? and leg = ? and state = 'running'
