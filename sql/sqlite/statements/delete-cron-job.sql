delete from cron_jobs where job_id = ?
