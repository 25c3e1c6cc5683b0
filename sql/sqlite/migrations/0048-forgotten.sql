-- Runs and drift checks that were forgotten, until their files are known to be removed.
create table forgotten (
  seq integer primary key autoincrement,
  kind text not null,
  id text not null,
  input text,
  intent_id text not null,
  unique (kind, id)
) strict
