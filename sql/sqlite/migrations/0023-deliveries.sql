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
) strict
