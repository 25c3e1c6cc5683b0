select job_id from cron_jobs where name = ?
