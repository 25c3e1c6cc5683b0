delete from batch_runs where run_id = ? and state not in ('running', 'waiting_approval')
