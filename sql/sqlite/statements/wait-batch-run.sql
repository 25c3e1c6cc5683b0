update batch_runs set state = 'waiting_approval', owner = ?, reason = ?, ended_at = null
where run_id = ? and leg = ? and state = ?
