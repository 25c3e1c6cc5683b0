select * from cron_jobs where job_id = ?
