update batch_runs set state = 'running', reason = null, leg = leg + 1, owner = ?, runner = null, intent_id = ?,
  started_at = ?, ended_at = null
where run_id = ? and leg = ? and state = ?
