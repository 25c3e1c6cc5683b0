const select = `
  select inbox.seq, recipient, read_at, acked_at, details from inbox join messages using (message_id)`;
const page = `order by inbox.seq desc limit :limit`;

/** Messages between agents, and the inboxes they are in. */
export const mailStatements = {
  /** The limit is part of the statement: any number who send at once do not exceed it together. */
  insertMessage: `
    insert into messages (message_id, sender, sent_at, details)
    select cast(:message_id as text), cast(:sender as text), cast(:sent_at as text), cast(:details as text)
    where (select count(*) from messages where sender = :sender and sent_at > :rate_since) < :max`,
  insertCopy: `
    insert into inbox (message_id, recipient)
    select cast(:message_id as text), cast(:recipient as text)
    where (select count(*) from inbox where recipient = :recipient and read_at is null) < :max`,
  forgetCopies: `delete from inbox where message_id in (select message_id from messages where sent_at < :before)`,
  forgetMessages: `delete from messages where sent_at < :before`,
  list: `${select} where inbox.seq < :before_seq ${page}`,
  listUnread: `${select} where inbox.seq < :before_seq and read_at is null ${page}`,
  listOf: `${select} where recipient = :recipient and inbox.seq < :before_seq ${page}`,
  listUnreadOf: `${select} where recipient = :recipient and read_at is null and inbox.seq < :before_seq ${page}`,
  unreadOf: `${select} where recipient = :recipient and read_at is null order by inbox.seq limit :limit`,
  find: `${select} where inbox.message_id = :message_id order by inbox.seq`,
  read: `
    update inbox set read_at = :time where message_id = :message_id and recipient = :recipient and read_at is null`,
  ack: `
    update inbox set acked_at = coalesce(acked_at, :time), read_at = coalesce(read_at, :time)
    where message_id = :message_id and recipient = :recipient`,
  recipientsWithUnread: `select distinct recipient from inbox where read_at is null`,
} as const;
