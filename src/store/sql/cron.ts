/** Jobs, their runs, and the processes that run them. */
export const cronStatements = {
  listJobs: `select * from cron_jobs where seq < :before_seq order by seq desc limit :limit`,
  listJobsNamed: `
    select * from cron_jobs where name = :name and seq < :before_seq order by seq desc limit :limit`,
  findJob: `select * from cron_jobs where job_id = :job_id`,
  findName: `select job_id from cron_jobs where name = :name`,
  declaredJobs: `select * from cron_jobs where declared_in is not null order by name`,
  dueJobs: `select * from cron_jobs where due_at is not null and due_at <= :by order by due_at limit :limit`,
  /** A queued run that is due already waits for another to end, not for a time. */
  nextDue: `
    select min(due_at) as due_at from (
      select min(due_at) as due_at from cron_jobs where due_at is not null
      union all
      select min(due_at) from cron_runs where ended_at is null and status = 'queued' and due_at > :now
    ) as due`,
  /** Of any number who have found the job at this slot, one changes the row. */
  advanceJob: `
    update cron_jobs set next_at = :next_at, due_at = :due_at
    where job_id = :job_id and revision = :revision and next_at = :from`,
  insertJob: `
    insert into cron_jobs (job_id, name, overlap, settings, declared_in, declared_digest, anchor_at, next_at, due_at,
      revision, created_at, created_by, updated_at)
    values (:job_id, :name, :overlap, :settings, :declared_in, :declared_digest, :anchor_at, :next_at, :due_at,
      :revision, :created_at, :created_by, :updated_at)`,
  /** Nobody may have changed it since it was read. */
  updateJob: `
    update cron_jobs set name = :name, overlap = :overlap, settings = :settings, declared_in = :declared_in,
      declared_digest = :declared_digest, anchor_at = :anchor_at, next_at = :next_at, due_at = :due_at,
      revision = :revision, created_at = :created_at, created_by = :created_by, updated_at = :updated_at
    where job_id = :job_id and revision = :revision - 1`,
  deleteJob: `delete from cron_jobs where job_id = :job_id`,

  listRuns: `select * from cron_runs where job_id = :job_id and seq < :before_seq order by seq desc limit :limit`,
  findRun: `select * from cron_runs where run_id = :run_id`,
  lastRun: `select * from cron_runs where job_id = :job_id order by seq desc limit 1`,
  newestRun: `select * from cron_runs order by seq desc limit 1`,
  openRuns: `select * from cron_runs where ended_at is null and status <> 'queued' order by seq`,
  startableRuns: `
    select cron_runs.* from cron_runs left join cron_jobs using (job_id)
    where ended_at is null and status = 'queued' and cron_runs.due_at <= :by and (overlap = 'allow' or not exists (
      select 1 from cron_runs as other
      where other.job_id = cron_runs.job_id and other.ended_at is null and other.status <> 'queued'
    ))
    order by cron_runs.due_at, cron_runs.seq limit :limit`,
  isJobBusy: `
    select 1 as is_busy from cron_runs
    where job_id = :job_id and ended_at is null and (status <> 'queued' or due_at <= :now)
    limit 1`,
  /** A slot that is claimed stays whose it is. */
  insertRun: `
    insert into cron_runs (run_id, job_id, job_name, task, slot, attempt, trigger, status, scheduled_at, due_at, owner,
      intent_id, created_at, started_at, ended_at, lateness_ms, exit_code, reason, output_path, slot_count)
    values (:run_id, :job_id, :job_name, :task, :slot, :attempt, :trigger, :status, :scheduled_at, :due_at, :owner,
      :intent_id, :created_at, :started_at, :ended_at, :lateness_ms, :exit_code, :reason, :output_path, :slot_count)
    on conflict (job_id, slot, attempt) do nothing`,
  /** One statement, so that of two who begin runs of a job at once the second finds the first. */
  beginRun: `
    update cron_runs set status = 'running', owner = :owner
    where run_id = :run_id and status = 'queued' and (
      (select overlap from cron_jobs where cron_jobs.job_id = cron_runs.job_id) = 'allow' or not exists (
        select 1 from cron_runs as other
        where other.job_id = cron_runs.job_id and other.ended_at is null and other.status <> 'queued'
      )
    )`,
  startRun: `
    update cron_runs set intent_id = :intent_id, started_at = :started_at, lateness_ms = :lateness_ms,
      output_path = :output_path, reason = null
    where run_id = :run_id and owner = :owner and status = 'running'`,
  setWaiting: `
    update cron_runs set status = :to, reason = :reason
    where run_id = :run_id and owner = :owner and status = :from`,
  takeOverRun: `update cron_runs set owner = :to where run_id = :run_id and owner = :from and status = 'waiting'`,
  endRun: `
    update cron_runs set status = :status, ended_at = :ended_at, exit_code = :exit_code, reason = :reason
    where run_id = :run_id and owner = :owner and ended_at is null`,
  /** What somebody asked for by hand still runs, unless the job is gone. */
  skipQueuedRuns: `
    update cron_runs set status = 'skipped', ended_at = :time, reason = :reason
    where job_id = :job_id and ended_at is null and status = 'queued'
      and (trigger <> 'manual' or cast(:even_manual as integer) = 1)`,
  forgetRuns: `
    delete from cron_runs where seq in (
      select seq from cron_runs where ended_at is not null and ended_at < :ended_before order by ended_at limit :limit
    )
    returning *`,

  saveDaemon: `
    insert into cron_daemons (daemon_id, place, pid, born, beats) values (:daemon_id, :place, :pid, :born, :beats)
    on conflict (daemon_id) do update set beats = excluded.beats`,
  listDaemons: `select * from cron_daemons`,
  forgetDaemon: `delete from cron_daemons where daemon_id = :daemon_id`,
} as const;
