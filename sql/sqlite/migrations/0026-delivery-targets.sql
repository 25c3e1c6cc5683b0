-- One row per target: whose it is, how often it failed in a row, and when the oldest of its deliveries is tried next.
create table delivery_targets (
  target text primary key,
  failures integer not null,
  last_error text,
  next_at_ms integer,
  owner text,
  lease_until_ms integer not null
) strict, without rowid
