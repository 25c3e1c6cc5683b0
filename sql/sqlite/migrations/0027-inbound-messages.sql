create table inbound_messages (
  source text not null,
  id text not null,
  received_at_ms integer not null,
  primary key (source, id)
) strict, without rowid
