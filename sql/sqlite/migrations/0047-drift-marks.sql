-- What the last drift check of a run's data came to; `kind` is batch or pipeline.
create table drift_marks (
  kind text not null,
  run_id text not null,
  check_id text not null,
  checked_at text not null,
  is_drift integer not null,
  message text not null,
  primary key (kind, run_id)
) strict, without rowid
