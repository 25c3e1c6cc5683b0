import { createHmac, type KeyObject } from "node:crypto";
import type { Endpoint } from "../../net/outbound.ts";
import { sign } from "../../net/standard-webhooks.ts";

/** Where a hook's deliveries go, as its configuration has it now. */
export interface Receiver {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** The first is the current one; none: unsigned. */
  readonly keys: readonly KeyObject[];
  /** In small letters, with all that do not depend on the message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly legacyPrefix: string | null;
  /** Put into the body as it is sent, so that it is not kept with what waits. */
  readonly routingKey?: string | undefined;
  readonly timeoutMs: number;
  readonly retry: number;
  /** Whether `retry` also bounds how often a receiver is tried that is away or fails. */
  readonly isRetryCap: boolean;
  readonly maxAgeMs: number;
}

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

/** All headers of one attempt: signed anew each time, because receivers refuse what is older than minutes. */
export function headersFor(
  receiver: Receiver,
  { id, event, body }: Message,
  nowMs: number,
): Record<string, string> {
  const { keys, legacyPrefix } = receiver;
  const named = { "webhook-id": id, "webhook-timestamp": String(Math.floor(nowMs / 1000)) };
  return {
    ...receiver.headers,
    ...(keys.length === 0 ? named : sign(keys, id, nowMs, body)),
    ...(legacyPrefix === null ? {} : legacyHeaders(legacyPrefix, keys[0], event, body, nowMs)),
  };
}

/** What some receivers were written for before there was a standard; replays cannot be told by it. */
function legacyHeaders(
  prefix: string,
  key: KeyObject | undefined,
  event: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const name = (part: string): string => `x-${prefix.toLowerCase()}-${part}`;
  return {
    [name("event")]: event,
    [name("timestamp")]: String(Math.floor(nowMs / 1000)),
    ...(key && { [name("signature")]: createHmac("sha256", key).update(body).digest("hex") }),
  };
}
