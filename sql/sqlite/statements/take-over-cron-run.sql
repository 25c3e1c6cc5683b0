update cron_runs set owner = ? where run_id = ? and owner = ? and status = 'waiting'
