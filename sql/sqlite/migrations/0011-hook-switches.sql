create table hook_switches (
  hook_id text primary key,
  is_enabled integer not null,
  time text not null,
  actor text not null
) strict, without rowid
