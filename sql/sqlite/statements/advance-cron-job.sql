-- Of any number who have found the job at this slot, one changes the row.
update cron_jobs set next_at = ?, due_at = ? where job_id = ? and revision = ? and next_at = ?
