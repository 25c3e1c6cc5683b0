update pipeline_runs set status = ?, ended_at = ?, reason = ?, version = ?
where run_id = ? and owner = ? and status = 'running'
