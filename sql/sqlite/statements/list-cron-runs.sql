select * from cron_runs where job_id = ? and seq < ? order by seq desc limit ?
