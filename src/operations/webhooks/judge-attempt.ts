import { SwarmError } from "../../base/errors.ts";
import type { HttpResponse } from "../../net/outbound.ts";

/** What an attempt came to. */
export type Judgement =
  | { readonly kind: "delivered" }
  /** The receiver turned it down for the moment: one of the hook's retries. */
  | { readonly kind: "retry"; readonly error: string; readonly afterMs: number }
  /** There is no receiver just now: it is waited for, unless the hook says how often (`retry`). */
  | { readonly kind: "wait"; readonly error: string; readonly afterMs: number }
  /** It will never be taken. */
  | { readonly kind: "refused"; readonly error: string };

/** Which answers count is what retries are about: a 4xx says that the same message will fare no better. */
export function judgeResponse(response: HttpResponse, nowMs: number): Judgement {
  const { status } = response;
  if (status >= 200 && status <= 299) return { kind: "delivered" };
  if (status === 409 && isReceivedAlready(response)) return { kind: "delivered" };
  const error = `status ${status}`;
  const afterMs = retryAfterMs(response.headers["retry-after"], nowMs);
  if (status >= 500) return { kind: "wait", error, afterMs };
  if (forTheMoment.includes(status)) return { kind: "retry", error, afterMs };
  return { kind: "refused", error: status < 400 ? `${error}: redirects are not followed` : error };
}

/** Request timeout, too early, too many requests. */
const forTheMoment = [408, 425, 429];

export function judgeFailure(error: unknown): Judgement {
  const message = error instanceof Error ? error.message : String(error);
  const isRefused = error instanceof SwarmError && error.code === "SWARM_ADDRESS_REFUSED";
  // A name may be pointed elsewhere for a while; an address that is refused for good must not hold up the rest for days.
  return { kind: isRefused ? "retry" : "wait", error: message, afterMs: 0 };
}

/** Another swarm's answer to a message it had before: the acknowledgement was lost, not the message. */
function isReceivedAlready({ body }: HttpResponse): boolean {
  try {
    return JSON.parse(body.toString()).code === "SWARM_INBOUND_REPLAYED";
  } catch {
    return false; // somebody else's words
  }
}

/** A receiver that asks for more than a day is asked again after a day. */
const longestMs = 86_400_000;

/** Seconds or a date; none, or one that cannot be read, asks for nothing. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), longestMs);
}

/** The first wait is half a second at most, and from the tenth on five minutes. */
const [firstMs, slowestMs] = [500, 300_000];

/** Full jitter: whoever failed together does not come back together. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.floor(random() * Math.min(slowestMs, firstMs * 2 ** Math.max(0, failures - 1)));
}
