select * from cron_runs where run_id = ?
