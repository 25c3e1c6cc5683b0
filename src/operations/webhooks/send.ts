import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { type Judgement, judgeFailure, judgeResponse } from "./judge-attempt.ts";
import { headersFor, type Message, type Receiver } from "./receiver.ts";

export interface Attempt {
  readonly judgement: Judgement;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  readonly ms: number;
}

/** A receiver's answer is its status; more than this of its words is not read. */
const limitBytes = 64 * 1024;

/** Sends a message once. Never throws: whatever happens is what the attempt came to. */
export async function send(receiver: Receiver, message: Message, clock: Clock): Promise<Attempt> {
  const startedAtMs = clock.monotonicMs();
  const { name: hook, timeoutMs } = receiver;
  const deadline = {
    timeoutMs,
    reason: () => new SwarmError("SWARM_HANDLER_TIMED_OUT", { hook, timeoutMs }),
  };
  const end = (judgement: Judgement, status: number | null): Attempt => ({
    judgement,
    status,
    ms: clock.monotonicMs() - startedAtMs,
  });
  try {
    const nowMs = clock.now();
    const body = bodyFor(receiver, message);
    const headers = headersFor(receiver, { ...message, body }, nowMs);
    const response = await receiver.endpoint.post({ headers, body, limitBytes, deadline });
    return end(judgeResponse(response, nowMs), response.status);
  } catch (error) {
    return end(judgeFailure(error), null);
  }
}

function bodyFor({ routingKey }: Receiver, { body }: Message): string {
  if (routingKey === undefined) return body;
  return JSON.stringify({ routing_key: routingKey, ...(JSON.parse(body) as object) });
}
