update cron_runs set status = ?, ended_at = ?, exit_code = ?, reason = ?
where run_id = ? and owner = ? and ended_at is null
