import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { redact } from "../../base/redact.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { StoreChange } from "../../store/port/store.ts";
import type { AgentStore } from "../agents/port/agent.ts";
import { frameMessage } from "./frame-message.ts";
import {
  type InboxMessage,
  type MailQuery,
  type MailStore,
  type Message,
  type MessageSent,
  mailLimits,
} from "./port/mail-store.ts";
import { findRecipients } from "./recipients.ts";

export interface MailOptions {
  readonly store: MailStore;
  readonly agents: AgentStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
}

export interface Letter {
  /** `agent:ID` or `human:NAME`, known by its token. */
  readonly sender: string;
  /** `agent:ID`, `role:NAME` or `lead`. */
  readonly to: string;
  readonly body: string;
  readonly reply_to?: string | undefined;
}

/** What enters an agent's context, and which messages those are. */
export interface Delivery {
  readonly text: string;
  readonly messageIds: readonly string[];
}

/** Together with what hooks say; further ones come with the next event. */
const maxDelivered = 5;
const maxDeliveredChars = 8_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Messages to agents, each delivered once: when its context takes it, or when the agent asks for it. */
export class Mail {
  readonly #options: MailOptions;
  /** Agents that may have unread messages: for all others no event asks the store. */
  readonly #withUnread = new Set<string>();

  constructor(options: MailOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    for (const id of await this.#options.store.recipientsWithUnread()) this.#withUnread.add(id);
  }

  /** To all its recipients or to none. */
  async send({ sender, to, body, reply_to }: Letter): Promise<Message & { readonly recipients: string[] }> {
    const { agents, audit, newId, store } = this.#options;
    const bytes = Buffer.byteLength(body);
    if (bytes === 0 || bytes > mailLimits.bodyBytes)
      throw new SwarmError("SWARM_MAIL_TOO_LARGE", { bytes, max: mailLimits.bodyBytes });
    const recipients = await findRecipients(agents, to, sender);
    if (reply_to !== undefined && (await store.find(reply_to)).length === 0)
      throw new SwarmError("SWARM_MAIL_UNKNOWN", { message: reply_to });
    const own = sender.startsWith("agent:") ? await agents.find(sender.slice("agent:".length)) : null;
    const message: Message = {
      message_id: newId("msg"),
      sender,
      sender_role: own?.role ?? null,
      addressed_to: to,
      body,
      reply_to: reply_to ?? null,
      sent_at: this.#now(),
    };
    await audit.record(
      {
        kind: "change",
        event: "mail.sent",
        actor: sender,
        ref: `message:${message.message_id}`,
        agent: own?.agent_id ?? null,
        task: own?.task_id ?? null,
        source: "swarm",
        reason: `message to ${to}: ${recipients.length === 1 ? "1 agent" : `${recipients.length} agents`}`,
        after: JSON.stringify(redact({ ...message, recipients })),
      },
      this.#sent(message, recipients),
    );
    this.#note(recipients);
    return { ...message, recipients };
  }

  list(query: MailQuery): Promise<InboxMessage[]> {
    return this.#options.store.list(query);
  }

  /** A message in the inboxes it is in; of one agent alone where that is given. */
  async find(messageId: string, recipient?: string): Promise<InboxMessage> {
    const copies = await this.#options.store.find(messageId);
    const found = recipient === undefined ? copies[0] : copies.find((copy) => copy.recipient === recipient);
    if (found === undefined) throw new SwarmError("SWARM_MAIL_UNKNOWN", { message: messageId });
    return found;
  }

  /** The agent's unread messages, oldest first, which are read with that. */
  async read(agentId: string, limit: number): Promise<InboxMessage[]> {
    const { store } = this.#options;
    const taken: InboxMessage[] = [];
    for (const message of await store.unreadOf(agentId, limit)) {
      const read_at = this.#now();
      if (await store.read(message.message_id, agentId, read_at)) taken.push({ ...message, read_at });
    }
    return taken;
  }

  /** Says to the sender that it was understood. */
  async ack(agentId: string, messageId: string): Promise<InboxMessage> {
    await this.#options.store.ack(messageId, agentId, this.#now());
    return this.find(messageId, agentId);
  }

  /** What fits into a context now. It is read with that: an answer that gets lost on its way is still in the inbox. */
  async deliver(agentId: string, roomChars: number): Promise<Delivery | null> {
    if (!this.#withUnread.has(agentId)) return null;
    const { store } = this.#options;
    this.#withUnread.delete(agentId);
    const unread = await store.unreadOf(agentId, maxDelivered + 1);
    const texts: string[] = [];
    const messageIds: string[] = [];
    let room = Math.min(roomChars, maxDeliveredChars);
    for (const message of unread.slice(0, maxDelivered)) {
      const text = frameMessage(message);
      if (text.length > room) break;
      if (!(await store.read(message.message_id, agentId, this.#now()))) continue;
      room -= text.length + 1;
      texts.push(text);
      messageIds.push(message.message_id);
    }
    if (unread.length > messageIds.length) this.#withUnread.add(agentId);
    return messageIds.length === 0 ? null : { text: texts.join("\n"), messageIds };
  }

  /** A change that has the swarm itself say something to agents, in the transaction of what it is about. */
  notice(body: string, recipients: readonly string[]): { change: StoreChange; onWritten: () => void } {
    const sent_at = this.#now();
    const message: Message = {
      message_id: this.#options.newId("msg"),
      sender: "swarm",
      sender_role: null,
      addressed_to: recipients.map((id) => `agent:${id}`).join(", "),
      body,
      reply_to: null,
      sent_at,
    };
    return { change: this.#sent(message, recipients), onWritten: () => this.#note(recipients) };
  }

  #sent(message: Message, recipients: readonly string[]): MessageSent {
    const nowMs = this.#options.clock.now();
    const rateSince = new Date(nowMs - minuteMs).toISOString();
    const forgetBefore = new Date(nowMs - mailLimits.keptDays * dayMs).toISOString();
    return { kind: "message_sent", message, recipients, rateSince, forgetBefore };
  }

  #note(recipients: readonly string[]): void {
    for (const id of recipients) this.#withUnread.add(id);
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}
