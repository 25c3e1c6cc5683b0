select * from cron_runs where job_id = ? order by seq desc limit 1
