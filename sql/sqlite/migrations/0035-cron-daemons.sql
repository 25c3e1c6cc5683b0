create table cron_daemons (
  daemon_id text not null primary key,
  place text not null,
  pid integer not null,
  born text,
  beats integer not null
) strict, without rowid
