create table hook_runs (
  hook_id text not null,
  seq integer not null references run_events (seq),
  status text not null,
  verdict text not null,
  ms real not null,
  reason text,
  primary key (hook_id, seq)
) strict, without rowid
