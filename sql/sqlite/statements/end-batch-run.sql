update batch_runs set state = ?, reason = ?, ended_at = ?, done_count = ?, failed_count = ?, input_bytes = ?,
  input_size = ?, results_bytes = ?, errors_bytes = ?, duration_ms = ?
where run_id = ? and leg = ? and owner = ? and state in ('running', 'waiting_approval')
