export const policyTables = `
-- Of each hook of a project the version that was approved; earlier ones are in the record.
-- is_guard: a guard that was approved is missed when its file no longer has it.
create table trusted_hooks (
  file text not null,
  hook_id text not null,
  name text not null,
  digest text not null,
  definition text not null,
  files text not null,
  time text not null,
  actor text not null,
  is_guard integer not null default 0,
  primary key (file, hook_id)
) strict, without rowid;

create table ignored_projects (
  file text primary key,
  time text not null,
  actor text not null
) strict, without rowid;

-- Files that run code when they are loaded, by their bytes; what was taken back is in the record.
create table approved_files (
  sha256 text primary key,
  path text not null,
  bytes integer not null,
  time text not null,
  actor text not null
) strict, without rowid;

create table plugins (
  name text primary key,
  version text,
  digest text not null,
  source text not null,
  guarded_events text not null,
  is_enabled integer not null,
  time text not null,
  actor text not null
) strict, without rowid;

-- Every program a plugin's hook ran, and every one it was not allowed to run.
create table plugin_shell_executions (
  seq integer primary key autoincrement,
  time text not null,
  plugin text not null,
  hook text not null,
  event text not null,
  event_id text not null,
  argv text not null,
  digest text not null,
  ending text not null,
  exit_code integer,
  ms real not null,
  bytes integer not null,
  denied_why text
) strict;
create index plugin_shell_executions_by_plugin on plugin_shell_executions (plugin, seq);

-- What a person is asked to decide. seq is for paging; expires_at is when a question lapses, and after a decision
-- when that does.
-- signature: the signature of the approver's key a decision was made with, as JSON; null where none was asked for.
create table approvals (
  seq integer primary key,
  id text not null unique,
  digest text not null,
  status text not null,
  event text not null,
  kind text,
  name text not null,
  rule text,
  reason text,
  subject text not null,
  session text,
  agent text,
  task text,
  cwd text,
  source text,
  requested_by text not null,
  requested_at text not null,
  expires_at text not null,
  intent_id text not null,
  decided_at text,
  decided_by text,
  comment text,
  used_at text,
  signature text
) strict;
create unique index approvals_pending on approvals (digest) where status = 'pending';
create index approvals_by_digest on approvals (digest, seq);
`;
