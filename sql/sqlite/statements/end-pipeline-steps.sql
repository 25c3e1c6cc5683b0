-- Those that were at work when their run was ended.
update pipeline_steps set status = ?, ended_at = ?, reason = coalesce(reason, ?) where run_id = ? and status = 'running'
