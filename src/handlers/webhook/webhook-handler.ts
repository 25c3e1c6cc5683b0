import { createHash } from "node:crypto";
import { newId } from "../../base/ids.ts";
import { redact } from "../../base/redact.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { Envelope } from "../../engine/events/envelope.ts";
import type { WebhookFormat } from "../../net/webhook-formats.ts";
import { filledIn, formatted } from "./formats.ts";
import type { NewDelivery } from "../../operations/webhooks/port/outbox-store.ts";

/** A webhook as it is noted; where it goes and how it is signed is up to the hook when it is sent. */
export interface WebhookSpec {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Null: the event as programs get it. */
  readonly format?: WebhookFormat | undefined;
  /** A body of the hook's own, with placeholders. */
  readonly body?: unknown;
}

/** Takes a delivery for the event with this id; it is kept with the event's row. */
export type Queue = (eventId: string, delivery: NewDelivery) => void;

/** A handler that only notes what is to be sent: it is kept with the row of its event, and sent later. */
export function webhookHandler({ id, name, url, format, body }: WebhookSpec, queue: Queue): HandlerFunction {
  const target = targetOf(url);
  return (data, call) => {
    const message = call.envelope(data);
    // Texts as in the event's row: what cannot be stored would fail it, and with it the rows that are written together.
    queue(call.id, {
      id: newId("msg"),
      event: call.event,
      event_id: call.id,
      hook_id: id,
      hook: name.toWellFormed(),
      target,
      cwd: call.origin.cwd?.toWellFormed() ?? null,
      // Kept on disk and sent to somebody else: secrets in a command or a prompt are for neither.
      body: bodyOf(redact(message) as Envelope, format, body),
      // A whole number again: from 2038 on the product is off by a fraction for half of all times.
      created_at_ms: Math.round(message.timestamp * 1000),
    });
  };
}

/** What is sent of a message: in the form of a service, as the hook's own body has it, or as it is. */
export function bodyOf(message: Envelope, format: WebhookFormat | undefined, template: unknown): string {
  if (format !== undefined) return formatted(format, message);
  return JSON.stringify(template === undefined ? message : filledIn(template, message));
}

/** Whatever hooks send there, it arrives in order. A hash: addresses hold tokens. */
export function targetOf(url: string): string {
  return `tgt_${createHash("sha256").update(url).digest("hex").slice(0, 16)}`;
}
