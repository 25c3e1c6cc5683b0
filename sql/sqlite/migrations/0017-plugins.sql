create table plugins (
  name text primary key,
  version text,
  digest text not null,
  source text not null,
  guarded_events text not null,
  is_enabled integer not null,
  time text not null,
  actor text not null
) strict, without rowid
