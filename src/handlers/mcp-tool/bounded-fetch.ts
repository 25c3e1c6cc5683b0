import { SwarmError } from "../../base/errors.ts";
import type { LineWatch } from "./line-watch.ts";
import { serverLimits } from "./server-spec.ts";

/**
 * A fetch that follows no redirect (it would lead around whatever has checked the address) and whose bodies are bounded: as a
 * whole, or in a stream of events each event.
 */
export function boundedFetch(send: typeof fetch, watch: LineWatch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const problem = `HTTP ${response.status}, a redirect, expected an answer from the address itself`;
      throw new SwarmError("SWARM_MCP_REFUSED", { server: watch.server, problem });
    }
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    const isChanges = isStream && response.ok && asksForChanges(init);
    const body = boundedBody(response.body, isStream, isChanges, watch, init?.signal ?? null);
    return new Response(body, { status, statusText, headers });
  };
}

/** In older versions of the protocol the one GET there is, in newer ones a request of its own. */
function asksForChanges(init: RequestInit | undefined): boolean {
  const { method, headers } = init ?? {};
  return method === "GET" || new Headers(headers).get("mcp-method") === "subscriptions/listen";
}

function boundedBody(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  isChanges: boolean,
  watch: LineWatch,
  signal: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const size = new MessageSize(isStream);
  const isOurs = () => signal?.aborted === true;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          if (isChanges && !isOurs()) watch.onDeaf();
          controller.close();
        } else if (size.add(value) > serverLimits.messageBytes) {
          watch.onOversize();
          controller.error(new Error("the answer is too large"));
          await reader.cancel();
        } else controller.enqueue(value);
      } catch (error) {
        if (!isOurs()) {
          if (isChanges) watch.onDeaf();
          else watch.onCutOff(error);
        }
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const lineFeed = 10;
const carriageReturn = 13;

/** Bytes of the message that is being read: of all there was, or of what came since the last empty line. */
class MessageSize {
  readonly #isStream: boolean;
  #bytes = 0;
  #isLineEmpty = true;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** The largest that a message has become. */
  add(chunk: Uint8Array): number {
    if (!this.#isStream) {
      this.#bytes += chunk.length;
      return this.#bytes;
    }
    let largest = 0;
    for (const byte of chunk) {
      this.#bytes++;
      if (byte === lineFeed) {
        largest = Math.max(largest, this.#bytes);
        if (this.#isLineEmpty) this.#bytes = 0;
        this.#isLineEmpty = true;
      } else if (byte !== carriageReturn) this.#isLineEmpty = false;
    }
    return Math.max(largest, this.#bytes);
  }
}
