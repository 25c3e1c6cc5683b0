update cron_runs set status = ?, reason = ? where run_id = ? and owner = ? and status = ?
