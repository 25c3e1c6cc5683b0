-- What somebody asked for by hand still runs, unless the job is gone.
update cron_runs set status = 'skipped', ended_at = ?, reason = ?
where job_id = ? and ended_at is null and status = 'queued' and (trigger <> 'manual' or ?)
