export const webhooksTables = `
-- Messages on their way to webhooks. Neither addresses nor secrets: the hook has them.
create table deliveries (
  seq integer primary key,
  id text not null unique,
  event text not null,
  event_id text not null,
  hook_id text not null,
  hook text not null,
  target text not null,
  cwd text,
  body text not null,
  created_at_ms integer not null,
  state text not null,
  attempts integer not null,
  retries integer not null,
  last_status integer,
  last_error text,
  ended_at_ms integer
) strict;
create index deliveries_pending on deliveries (target, seq) where state = 'pending';
create index deliveries_ended on deliveries (state, ended_at_ms) where ended_at_ms is not null;

-- One row per target: whose it is, how often it failed in a row, and when the oldest of its deliveries is tried next.
create table delivery_targets (
  target text primary key,
  failures integer not null,
  last_error text,
  next_at_ms integer,
  owner text,
  lease_until_ms integer not null
) strict, without rowid;

create table inbound_messages (
  source text not null,
  id text not null,
  received_at_ms integer not null,
  primary key (source, id)
) strict, without rowid;
`;
