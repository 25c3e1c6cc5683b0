-- Nobody may have changed it since it was read.
update cron_jobs set job_id = ?1, name = ?2, schedule = ?3, tz = ?4, task = ?5, config = ?6, enabled = ?7, overlap = ?8,
  misfire = ?9, misfire_cap = ?10, grace_s = ?11, jitter_s = ?12, timeout_s = ?13, retries = ?14, backoff_s = ?15,
  approval_required = ?16, cwd = ?17, declared_in = ?18, declared_digest = ?19, anchor_at = ?20, next_at = ?21,
  due_at = ?22, revision = ?23, created_at = ?24, created_by = ?25, updated_at = ?26
where job_id = ?1 and revision = ?23 - 1
