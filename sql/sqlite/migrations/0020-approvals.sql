-- What a person is asked to decide. `seq` is for paging; `expires_at` is when a question lapses, and after a decision
-- when that does.
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
  used_at text
) strict
