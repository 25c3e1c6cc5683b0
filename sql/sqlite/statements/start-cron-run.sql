update cron_runs set intent_id = ?, started_at = ?, lateness_ms = ?, output_path = ?, reason = null
where run_id = ? and owner = ? and status = 'running'
