select * from batch_runs where run_id = ?
