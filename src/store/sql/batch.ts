export const batchStatements = {
  list: `select * from batch_runs where seq < :before_seq order by seq desc limit :limit`,
  listOfState: `
    select * from batch_runs where state = :state and seq < :before_seq order by seq desc limit :limit`,
  find: `select * from batch_runs where run_id = :run_id`,
  open: `select * from batch_runs where state in ('running', 'waiting_approval') order by seq`,
  isForgotten: `select 1 as is_forgotten from forgotten where kind = 'batch' and id = :run_id`,
  insert: `
    insert into batch_runs (run_id, name, processor, state, reason, spec, leg, owner, runner, intent_id, created_at,
      created_by, started_at, ended_at, done_count, failed_count, input_bytes, input_size, results_bytes, errors_bytes,
      duration_ms)
    values (:run_id, :name, :processor, :state, :reason, :spec, :leg, :owner, :runner, :intent_id, :created_at,
      :created_by, :started_at, :ended_at, :done_count, :failed_count, :input_bytes, :input_size, :results_bytes,
      :errors_bytes, :duration_ms)
    on conflict (run_id) do nothing`,
  begin: `
    update batch_runs set state = 'running', reason = null, leg = leg + 1, owner = :owner, runner = null,
      intent_id = :intent_id, started_at = :started_at, ended_at = null
    where run_id = :run_id and leg = :after_leg and state = :from`,
  wait: `
    update batch_runs set state = 'waiting_approval', owner = :owner, reason = :reason, ended_at = null
    where run_id = :run_id and leg = :after_leg and state = :from`,
  setRunner: `update batch_runs set runner = :runner where run_id = :run_id and leg = :leg and state = 'running'`,
  takeOver: `
    update batch_runs set owner = :to
    where run_id = :run_id and owner = :from and state = 'waiting_approval'`,
  progress: `
    update batch_runs set done_count = :done_count, failed_count = :failed_count, input_bytes = :input_bytes,
      input_size = :input_size, results_bytes = :results_bytes, errors_bytes = :errors_bytes, duration_ms = :duration_ms
    where run_id = :run_id and leg = :leg and state = 'running'`,
  end: `
    update batch_runs set state = :state, reason = :reason, ended_at = :ended_at, done_count = :done_count,
      failed_count = :failed_count, input_bytes = :input_bytes, input_size = :input_size,
      results_bytes = :results_bytes, errors_bytes = :errors_bytes, duration_ms = :duration_ms
    where run_id = :run_id and leg = :leg and owner = :owner and state in ('running', 'waiting_approval')`,
  remove: `delete from batch_runs where run_id = :run_id and state not in ('running', 'waiting_approval')`,
} as const;
