-- Of each hook of a project the version that was approved; earlier ones are in the record.
create table trusted_hooks (
  file text not null,
  hook_id text not null,
  name text not null,
  digest text not null,
  definition text not null,
  files text not null,
  time text not null,
  actor text not null,
  primary key (file, hook_id)
) strict, without rowid
