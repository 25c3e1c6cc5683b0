export const mailTables = `
create table messages (
  message_id text primary key,
  sender text not null,
  sent_at text not null,
  details text not null
) strict, without rowid;
create index messages_by_sender on messages (sender, sent_at);
create index messages_by_time on messages (sent_at);

-- A message to a role is in the inbox of each of its agents.
create table inbox (
  seq integer primary key autoincrement,
  message_id text not null references messages (message_id) deferrable initially deferred,
  recipient text not null,
  read_at text,
  acked_at text,
  unique (message_id, recipient)
) strict;
create index inbox_by_recipient on inbox (recipient, seq);
create index inbox_unread on inbox (recipient, seq) where read_at is null;
`;
