export const operationsTables = `
-- What a job says is one value, so that a new setting is no new column; statements ask for its name and its overlap.
create table cron_jobs (
  seq integer primary key autoincrement,
  job_id text not null unique,
  name text not null unique,
  overlap text not null,
  settings text not null,
  declared_in text,
  declared_digest text,
  anchor_at text not null,
  next_at text,
  due_at text,
  revision integer not null,
  created_at text not null,
  created_by text not null,
  updated_at text not null
) strict;
create index cron_jobs_due on cron_jobs (due_at) where due_at is not null;

-- The unique key is the claim: whoever inserts a slot first has it.
create table cron_runs (
  seq integer primary key autoincrement,
  run_id text not null unique,
  job_id text not null,
  job_name text not null,
  task text not null,
  slot text not null,
  attempt integer not null,
  trigger text not null,
  status text not null,
  scheduled_at text not null,
  due_at text not null,
  owner text,
  intent_id text,
  created_at text not null,
  started_at text,
  ended_at text,
  lateness_ms integer,
  exit_code integer,
  reason text,
  output_path text,
  slot_count integer not null,
  unique (job_id, slot, attempt)
) strict;
create index cron_runs_by_job on cron_runs (job_id, seq);
create index cron_runs_open on cron_runs (job_id, status, due_at) where ended_at is null;
create index cron_runs_ended on cron_runs (ended_at) where ended_at is not null;

create table cron_daemons (
  daemon_id text not null primary key,
  place text not null,
  pid integer not null,
  born text,
  beats integer not null
) strict, without rowid;

create table pipeline_runs (
  seq integer primary key autoincrement,
  run_id text not null unique,
  pipeline text not null,
  file text not null,
  folder text not null,
  model text not null,
  status text not null,
  trigger text not null,
  cause text,
  actor text not null,
  is_forced integer not null,
  owner text not null,
  intent_id text not null,
  data text,
  version integer,
  started_at text not null,
  ended_at text,
  reason text
) strict;
-- One run of a pipeline at a time, whoever starts them.
create unique index pipeline_runs_running on pipeline_runs (file, pipeline) where status = 'running';
create index pipeline_runs_by_cause on pipeline_runs (cause, seq) where cause is not null;

-- A step as it went last in its run; outputs and metrics are JSON.
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
) strict;
create index pipeline_steps_by_digest on pipeline_steps (digest, step) where status = 'completed';
create index pipeline_steps_by_maker on pipeline_steps (made_by) where made_by is not null;

create table model_versions (
  model text not null,
  version integer not null,
  run_id text not null,
  digest text not null,
  metrics text not null,
  lineage text not null,
  created_at text not null,
  created_by text not null,
  primary key (model, version)
) strict, without rowid;
create index model_versions_by_run on model_versions (run_id);

-- The key is the rule: one version stands for a model at a stage. Those before are in the record.
create table model_stages (
  model text not null,
  stage text not null,
  version integer not null,
  promoted_at text not null,
  promoted_by text not null,
  approved_by text,
  approval_id text,
  primary key (model, stage)
) strict, without rowid;

create table batch_runs (
  seq integer primary key autoincrement,
  run_id text not null unique,
  name text,
  processor text not null,
  state text not null,
  reason text,
  spec text not null,
  leg integer not null,
  owner text not null,
  runner text,
  intent_id text,
  created_at text not null,
  created_by text not null,
  started_at text,
  ended_at text,
  done_count integer not null,
  failed_count integer not null,
  input_bytes integer not null,
  input_size integer,
  results_bytes integer not null,
  errors_bytes integer not null,
  duration_ms integer not null
) strict;
create index batch_runs_by_state on batch_runs (state, seq);

-- Data that others are compared with; earlier ones are in the record.
create table baselines (
  name text primary key,
  source text not null,
  rows integer not null,
  features integer not null,
  data_digest text not null,
  summary_digest text not null,
  set_at text not null,
  set_by text not null
) strict, without rowid;

-- What the last drift check of a run's data came to; kind is batch or pipeline.
create table drift_marks (
  kind text not null,
  run_id text not null,
  check_id text not null,
  checked_at text not null,
  is_drift integer not null,
  message text not null,
  primary key (kind, run_id)
) strict, without rowid;

-- Runs and drift checks that were forgotten, until their files are known to be removed.
create table forgotten (
  seq integer primary key autoincrement,
  kind text not null,
  id text not null,
  input text,
  intent_id text not null,
  unique (kind, id)
) strict;
`;
