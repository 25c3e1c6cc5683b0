export const recordTables = `
-- The record: one row per emit, change, login, intent and outcome. Rows are chained by hash and never change.
-- seal: shows that a process with the record's key has written the row; not hashed, because it is made of the hash.
-- state: the digest of what was granted with the row, 'over' when it was taken back; covered by the seal.
create table run_events (
  seq integer primary key,
  id text not null,
  time text not null,
  kind text not null,
  event text not null,
  ref text,
  actor text not null,
  session text,
  agent text,
  task text,
  cwd text,
  source text,
  verdict text not null,
  reason text,
  hook text,
  hook_digest text,
  before_hash text,
  after_hash text,
  ms real not null,
  outcome text not null,
  handlers text not null,
  prev_hash text not null,
  hash text not null,
  seal text,
  state text
) strict;
create unique index run_events_by_id on run_events (id);
create index run_events_by_session on run_events (session, seq) where session is not null;
create index run_events_by_ref on run_events (ref) where ref is not null;
create index run_events_denied on run_events (seq) where verdict = 'deny';
-- Against mistakes, not attackers: who can write the file can drop the trigger, and then the chain tells.
create trigger run_events_keep before delete on run_events begin
  select raise(abort, 'run events are never deleted');
end;
create trigger run_events_fixed before update on run_events begin
  select raise(abort, 'run events never change');
end;
create index run_events_intents on run_events (seq) where kind = 'intent';
create index run_events_changes on run_events (event, agent, seq) where kind = 'change';

-- Beside the record, so that a payload can expire while the hash of it stays in the chain.
create table payloads (
  seq integer primary key references run_events (seq),
  before text,
  after text
) strict;

create table hook_runs (
  hook_id text not null,
  seq integer not null references run_events (seq),
  status text not null,
  verdict text not null,
  ms real not null,
  reason text,
  primary key (hook_id, seq)
) strict, without rowid;

-- One row: an older signature would vouch for a record that was cut back to it.
create table signed_head (
  one integer primary key check (one = 1),
  seq integer not null,
  hash text not null,
  time text not null,
  key_id text not null,
  signature text not null
) strict;
`;
