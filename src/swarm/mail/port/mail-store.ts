import type { Page } from "../../../store/port/store.ts";

/** What keeps agents from filling the store, and each other's contexts. */
export const mailLimits = {
  bodyBytes: 16 * 1024,
  /** Unread messages of one agent. */
  unread: 100,
  /** Messages of one sender within a minute; one to a role counts once. */
  perMinute: 30,
  keptDays: 30,
} as const;

export interface Message {
  readonly message_id: string;
  /** `agent:ID` or `human:NAME`, by the token it was sent with; `swarm` for what the swarm itself has to say. */
  readonly sender: string;
  /** Of an agent. */
  readonly sender_role: string | null;
  /** As it was addressed: `agent:ID`, `role:NAME` or `lead`. */
  readonly addressed_to: string;
  readonly body: string;
  readonly reply_to: string | null;
  readonly sent_at: string;
}

/** A message in the inbox of one agent. */
export interface InboxMessage extends Message {
  readonly seq: number;
  /** Id of the agent. */
  readonly recipient: string;
  /** When it entered the agent's context, or the agent asked for it. */
  readonly read_at: string | null;
  readonly acked_at: string | null;
}

/**
 * Throws SWARM_MAIL_RATE when the sender has sent `perMinute` messages since `rateSince`, SWARM_MAIL_INBOX_FULL when a recipient
 * has too many unread ones. One of the swarm's own is left out of a full inbox instead.
 */
export interface MessageSent {
  readonly kind: "message_sent";
  readonly message: Message;
  /** Ids of agents. */
  readonly recipients: readonly string[];
  readonly rateSince: string;
  /** Messages sent before are forgotten. */
  readonly forgetBefore: string;
}

export interface MailQuery extends Page {
  /** Id of an agent. */
  readonly recipient?: string | undefined;
  readonly isUnread?: boolean | undefined;
}

/** Messages to agents. One suite (`mail-store.cases.ts`) holds for every driver. */
export interface MailStore {
  /** Newest first. */
  list(query: MailQuery): Promise<InboxMessage[]>;
  /** Oldest first. */
  unreadOf(recipient: string, limit: number): Promise<InboxMessage[]>;
  /** One message in each inbox it is in. */
  find(messageId: string): Promise<InboxMessage[]>;
  /** Of any number who read it at once, one is answered true. */
  read(messageId: string, recipient: string, time: string): Promise<boolean>;
  ack(messageId: string, recipient: string, time: string): Promise<void>;
  /** Ids of the agents that have unread messages. */
  recipientsWithUnread(): Promise<string[]>;
}
