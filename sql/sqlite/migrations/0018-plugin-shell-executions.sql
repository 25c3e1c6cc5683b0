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
) strict
