-- A step as it went last in its run; `outputs` and `metrics` are JSON.
create table pipeline_steps (
  seq integer primary key autoincrement,
  run_id text not null references pipeline_runs (run_id),
  step text not null,
  status text not null,
  digest text not null,
  tries integer not null,
  exit_code integer,
  reason text,
  outputs text not null,
  metrics text not null,
  made_by text,
  log_path text,
  started_at text not null,
  ended_at text,
  unique (run_id, step)
) strict
