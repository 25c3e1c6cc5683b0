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
) strict, without rowid
