update batch_runs set done_count = ?, failed_count = ?, input_bytes = ?, input_size = ?, results_bytes = ?,
  errors_bytes = ?, duration_ms = ?
where run_id = ? and leg = ? and state = 'running'
