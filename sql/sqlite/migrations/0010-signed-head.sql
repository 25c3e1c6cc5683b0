-- One row: an older signature would vouch for a record that was cut back to it.
create table signed_head (
  one integer primary key check (one = 1),
  seq integer not null,
  hash text not null,
  time text not null,
  key_id text not null,
  signature text not null
) strict
