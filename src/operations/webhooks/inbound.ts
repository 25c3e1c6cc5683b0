import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { signingKeys, toleranceS, whyDisbelieved } from "../../net/standard-webhooks.ts";
import type { InboundChange, InboundStore } from "./port/inbound-store.ts";

/** Somebody who may send messages in. */
export interface Source {
  readonly name: string;
  readonly secret: string;
  readonly previousSecret: string | null;
  /** Name of the event its messages become. */
  readonly event: string;
}

export interface InboundMessage {
  readonly source: string;
  header(name: string): string | undefined;
  /** As it came: the signature is over these bytes. */
  readonly body: Uint8Array;
}

export interface InboundOptions<T> {
  readonly store: InboundStore;
  readonly clock: Clock;
  readonly find: (name: string) => Promise<Source | undefined>;
  /** Decides the event and records it, with the change: both or neither. */
  readonly emit: (source: Source, data: Record<string, unknown>, change: InboundChange) => Promise<T>;
}

/** How long ids are remembered: a message whose clock was as far ahead as may be is believed for twice the tolerance. */
export const rememberMs = 4 * toleranceS * 1000;

/** Takes messages in, each once, from those who can sign for them. */
export class Inbound<T> {
  readonly #options: InboundOptions<T>;
  /** Being decided just now; ends when that does, and never fails. */
  readonly #open = new Map<string, Promise<void>>();

  constructor(options: InboundOptions<T>) {
    this.#options = options;
  }

  async receive(message: InboundMessage): Promise<T> {
    const { store, clock, find, emit } = this.#options;
    const source = await find(message.source);
    if (source === undefined) throw new SwarmError("SWARM_INBOUND_UNKNOWN", { source: message.source });
    const body = textOf(source.name, message.body);
    const id = check(source, message, body, clock.now());
    const key = `${source.name} ${id}`;
    const replayed = () => new SwarmError("SWARM_INBOUND_REPLAYED", { source: source.name, id });
    // A second copy has no effect before the first is recorded, nor is it told that the message was taken: if the first
    // fails, nobody would send it again.
    for (let open = this.#open.get(key); open !== undefined; open = this.#open.get(key)) await open;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open.set(key, promise);
    try {
      if (await store.isKnown(source.name, id)) throw replayed();
      const change = { kind: "inbound_message", source: source.name, id, receivedAtMs: clock.now() } as const;
      return await emit(source, payloadOf(source, body), change);
    } finally {
      this.#open.delete(key);
      resolve();
    }
  }
}

/** Strictly: a byte that is replaced on the way was not signed. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(source: string, body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new SwarmError("SWARM_INBOUND_REFUSED", { source, problem: "the body is not UTF-8" });
  }
}

function check(
  { name, secret, previousSecret }: Source,
  message: InboundMessage,
  body: string,
  nowMs: number,
): string {
  const headers = {
    "webhook-id": message.header("webhook-id"),
    "webhook-timestamp": message.header("webhook-timestamp"),
    "webhook-signature": message.header("webhook-signature"),
  };
  const problem = whyDisbelieved(signingKeys(secret, previousSecret), headers, body, nowMs);
  if (problem !== null) throw new SwarmError("SWARM_INBOUND_REFUSED", { source: name, problem });
  return headers["webhook-id"] ?? "";
}

/** An envelope's data, or the body itself. A notification has to say something. */
function payloadOf({ name, event }: Source, body: string): Record<string, unknown> {
  const read = parse(body);
  const data = typeof read.event === "string" && isObject(read.data) ? read.data : read;
  return event === "notification"
    ? { message: `webhook from ${name}`, notification_type: "webhook", ...data }
    : data;
}

function parse(body: string): Record<string, unknown> {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch (error) {
    throw new SwarmError("SWARM_BODY_INVALID", { problem: (error as Error).message });
  }
  if (isObject(read)) return read;
  throw new SwarmError("SWARM_BODY_INVALID", { problem: "it is no JSON object" });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
