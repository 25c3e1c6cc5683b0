import type { Clock } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import type { WebhookAction } from "../../config/hook-config.ts";
import { bodyOf } from "../../handlers/webhook/webhook-handler.ts";
import type { Receiver } from "./receiver.ts";
import { type Attempt, send } from "./send.ts";

/** An event of this name is nobody's: a receiver must not take a test for something that happened. */
const testEvent = "webhook.test";

/** Sends one message that says it is a test, and tells what came of it. */
export async function sendTest(
  receiver: Receiver,
  { format, body }: Pick<WebhookAction, "format" | "body">,
  audit: Audit,
  clock: Clock,
  actor: string,
): Promise<Attempt> {
  const id = newId("msg");
  const message = {
    event: testEvent,
    id: newId("evt"),
    timestamp: clock.now() / 1000,
    data: { hook: receiver.name },
  };
  const event: RecordedChange = "webhook.delivery";
  const before = JSON.stringify([{ id, event_id: message.id, attempt: 1 }]);
  const report = await audit.intent({ event, actor, hook: receiver.name, reason: "a test", before });
  const attempt = await send(
    receiver,
    { id, event: testEvent, body: bodyOf(message as never, format, body) },
    clock,
  );
  const { judgement, ms } = attempt;
  const isDelivered = judgement.kind === "delivered";
  await report({
    outcome: isDelivered ? "completed" : "failed",
    reason: isDelivered ? "a test" : judgement.error,
    ms,
  });
  return attempt;
}
