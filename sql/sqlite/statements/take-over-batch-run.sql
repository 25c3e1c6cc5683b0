update batch_runs set owner = ? where run_id = ? and owner = ? and state = 'waiting_approval'
