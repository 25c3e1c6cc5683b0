-- Nobody may have changed it since it was read.
update cron_jobs set job_id = ?, name = ?, schedule = ?, tz = ?, task = ?, config = ?, enabled = ?, overlap = ?,
  misfire = ?, misfire_cap = ?, grace_s = ?, jitter_s = ?, timeout_s = ?, retries = ?, backoff_s = ?,
  approval_required = ?, cwd = ?, declared_in = ?, declared_digest = ?, anchor_at = ?, next_at = ?,
  due_at = ?, revision = ?, created_at = ?, created_by = ?, updated_at = ?
where job_id = ? and revision = ? - 1
