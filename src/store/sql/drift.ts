export const baselineStatements = {
  list: `
    select name, source, rows, features, data_digest, summary_digest, set_at, set_by from baselines order by name`,
  find: `
    select name, source, rows, features, data_digest, summary_digest, set_at, set_by from baselines where name = :name`,
  set: `
    insert into baselines (name, source, rows, features, data_digest, summary_digest, set_at, set_by)
    values (:name, :source, :rows, :features, :data_digest, :summary_digest, :set_at, :set_by)
    on conflict (name) do update set source = excluded.source, rows = excluded.rows, features = excluded.features,
      data_digest = excluded.data_digest, summary_digest = excluded.summary_digest, set_at = excluded.set_at,
      set_by = excluded.set_by`,
} as const;

/** What the last check of a run came to. */
export const driftMarkStatements = {
  find: `
    select kind, run_id, check_id, checked_at, is_drift, message
    from drift_marks where kind = :kind and run_id = :run_id`,
  set: `
    insert into drift_marks (kind, run_id, check_id, checked_at, is_drift, message)
    values (:kind, :run_id, :check_id, :checked_at, :is_drift, :message)
    on conflict (kind, run_id) do update set check_id = excluded.check_id, checked_at = excluded.checked_at,
      is_drift = excluded.is_drift, message = excluded.message`,
  forget: `delete from drift_marks where kind = :kind and run_id = :run_id`,
} as const;
