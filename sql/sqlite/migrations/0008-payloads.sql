-- Beside the record, so that a payload can expire while the hash of it stays in the chain.
create table payloads (
  seq integer primary key references run_events (seq),
  before text,
  after text
) strict
