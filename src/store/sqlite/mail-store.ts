import { SwarmError } from "../../base/errors.ts";
import {
  type InboxMessage,
  type MailQuery,
  type MailStore,
  type Message,
  type MessageSent,
  mailLimits,
} from "../../swarm/mail/port/mail-store.ts";
import type { ChangeWriters } from "../port/store.ts";
import { mailStatements } from "../sql/mail.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Messages in the store's file. */
export class SqliteMailStore implements MailStore {
  readonly changes: ChangeWriters<MessageSent> = { message_sent: (sent) => this.#send(sent) };
  readonly #sql: Statements<typeof mailStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(mailStatements);
  }

  async list(query: MailQuery): Promise<InboxMessage[]> {
    const { limit, beforeSeq: before_seq = Number.MAX_SAFE_INTEGER, recipient, isUnread = false } = query;
    const rows =
      recipient === undefined
        ? (isUnread ? this.#sql.listUnread : this.#sql.list).all<InboxRow>({ before_seq, limit })
        : (isUnread ? this.#sql.listUnreadOf : this.#sql.listOf).all<InboxRow>({
            recipient,
            before_seq,
            limit,
          });
    return rows.map(messageOf);
  }

  async unreadOf(recipient: string, limit: number): Promise<InboxMessage[]> {
    return this.#sql.unreadOf.all<InboxRow>({ recipient, limit }).map(messageOf);
  }

  async find(messageId: string): Promise<InboxMessage[]> {
    return this.#sql.find.all<InboxRow>({ message_id: messageId }).map(messageOf);
  }

  async read(messageId: string, recipient: string, time: string): Promise<boolean> {
    return this.#sql.read.run({ message_id: messageId, recipient, time }) === 1;
  }

  async ack(messageId: string, recipient: string, time: string): Promise<void> {
    this.#sql.ack.run({ message_id: messageId, recipient, time });
  }

  async recipientsWithUnread(): Promise<string[]> {
    const rows = this.#sql.recipientsWithUnread.all<{ recipient: string }>();
    return rows.map(({ recipient }) => recipient);
  }

  #send({ message, recipients, rateSince: rate_since, forgetBefore: before }: MessageSent): void {
    this.#sql.forgetCopies.run({ before });
    this.#sql.forgetMessages.run({ before });
    const { message_id, sender, sent_at } = message;
    const isOwn = sender === "swarm";
    const max = isOwn ? Number.MAX_SAFE_INTEGER : mailLimits.perMinute;
    const row = { message_id, sender, sent_at, details: JSON.stringify(message), rate_since, max };
    if (this.#sql.insertMessage.run(row) === 0)
      throw new SwarmError("SWARM_MAIL_RATE", { sender, max: mailLimits.perMinute });
    for (const recipient of recipients) {
      const isIn = this.#sql.insertCopy.run({ message_id, recipient, max: mailLimits.unread }) === 1;
      if (!isIn && !isOwn)
        throw new SwarmError("SWARM_MAIL_INBOX_FULL", { agent: recipient, max: mailLimits.unread });
    }
  }
}

type InboxRow = Pick<InboxMessage, "seq" | "recipient" | "read_at" | "acked_at"> & {
  readonly details: string;
};

function messageOf({ details, ...row }: InboxRow): InboxMessage {
  return { ...(JSON.parse(details) as Message), ...row };
}
