import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher, Pool } from "undici";
import { SwarmError } from "../base/errors.ts";
import { readAllowed } from "./address.ts";
import { hostOf } from "./check-url.ts";
import { ConnectError, connectChecked, type Network, systemNetwork } from "./connect.ts";

/** Where requests go: one hook's or target's address. */
export interface EndpointOptions {
  /** Of the hook, for messages. */
  readonly name: string;
  /** What `urlProblem` has nothing against. */
  readonly url: string;
  /** What `readAllowed` takes. */
  readonly allowPrivate: readonly string[];
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** There was more than the limit; the connection was given up. */
  readonly isCut: boolean;
}

export interface Endpoint {
  /** One request, on a kept connection if there is one. Redirects are answers like any other. */
  post(request: PostRequest): Promise<HttpResponse>;
}

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What of the answer's body is kept. */
  readonly limitBytes: number;
  /** When it is given up, and why; the promise is then rejected with that. */
  readonly deadline: Deadline;
}

/** Somebody's signal, or a time: making and watching a signal takes ten times as long as a timer does. */
export type Deadline = AbortSignal | { readonly timeoutMs: number; readonly reason: () => Error };

/** A slow endpoint must not take every descriptor there is; more requests wait for a connection, until their deadline. */
const connectionsPerOrigin = 64;

/**
 * Everything that leaves by HTTP. Connections are kept, and shared by hooks with the same origin that may connect to the
 * same addresses: one that was allowed for a hook is not there for another. Proxies of the environment are not used: what
 * they connect to could not be checked.
 */
export class Outbound {
  readonly #network: Network;
  readonly #pools = new Map<string, Promise<Pool>>();
  readonly #closing = new AbortController();

  constructor(network: Network = systemNetwork) {
    this.#network = network;
  }

  endpoint({ name, url: text, allowPrivate }: EndpointOptions): Endpoint {
    const url = new URL(text);
    const path = `${url.pathname}${url.search}`;
    const host = hostOf(url);
    const explain = (error: unknown): SwarmError => failureOf(name, host, error);
    let pool: Pool | null = null;
    return {
      post: (request) => {
        if (this.#closing.signal.aborted)
          return Promise.reject(new SwarmError("SWARM_ENGINE_CLOSED", { operation: "post" }));
        if (pool !== null) return exchange(pool, path, request, explain);
        return this.#pool(url, allowPrivate).then((opened) => {
          pool = opened;
          return exchange(pool, path, request, explain);
        });
      },
    };
  }

  /**
   * The same for a library that brings its own requests: a `fetch` over the same checked connections. It is for the one
   * origin, whatever it is asked for, and fails as `fetch` does, with a `ConnectError` as the cause.
   */
  fetchFor({ url: text, allowPrivate }: Omit<EndpointOptions, "name">): typeof fetch {
    const url = new URL(text);
    return async (input, init) => {
      if (this.#closing.signal.aborted) throw new SwarmError("SWARM_ENGINE_CLOSED", { operation: "fetch" });
      const { origin } = new URL(input instanceof Request ? input.url : input);
      if (origin !== url.origin) throw new TypeError(`${origin} is not ${url.origin}`);
      const { fetch: send } = await import("undici");
      const dispatcher = await this.#pool(url, allowPrivate);
      // Undici's own types of the web's are not those of Node, which are made from the same source.
      return (await send(input as string, { ...(init as object), dispatcher })) as unknown as Response;
    };
  }

  /** Ends whatever is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#pools.values()].map(async (pool) => (await pool).destroy()));
  }

  #pool(url: URL, allowPrivate: readonly string[]): Promise<Pool> {
    const key = JSON.stringify([url.origin, allowPrivate]);
    const known = this.#pools.get(key) ?? this.#openPool(url, allowPrivate);
    this.#pools.set(key, known);
    return known;
  }

  async #openPool(url: URL, allowPrivate: readonly string[]): Promise<Pool> {
    // 100 ms to load, and most runs need none of it.
    const { Pool } = await import("undici");
    const allowed = allowPrivate.flatMap((written) => readAllowed(written) ?? []);
    return new Pool(url.origin, {
      connections: connectionsPerOrigin,
      // Whoever asks has a deadline of their own.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        connectChecked({ url, allowed }, this.#network, this.#closing.signal).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        );
      },
    });
  }
}

/** Undici's own `request` makes a stream of every body; one buffer of bounded size is all that is wanted here. */
function exchange(
  pool: Pool,
  path: string,
  request: PostRequest,
  explain: (error: unknown) => SwarmError,
): Promise<HttpResponse> {
  const { headers, body, limitBytes, deadline } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, bytes] = [0, 0];
    let responseHeaders: IncomingHttpHeaders = {};
    let controller: Dispatcher.DispatchController | null = null;
    let givenUp: Error | null = null;
    const stopWatching = watch(deadline, (reason) => {
      givenUp = new Error("given up");
      reject(reason);
      controller?.abort(givenUp);
    });
    const settle = (isCut: boolean): void => {
      stopWatching();
      const whole = chunks.length === 1 && bytes <= limitBytes ? chunks[0] : undefined;
      const read = whole ?? Buffer.concat(chunks, Math.min(bytes, limitBytes));
      resolve({ status, headers: responseHeaders, body: read, isCut });
    };
    if (givenUp !== null) return;
    pool.dispatch(
      { path, method: "POST", headers, body },
      {
        onRequestStart(started) {
          // It may have waited for a connection until nobody needed it any more.
          if (givenUp === null) controller = started;
          else started.abort(givenUp);
        },
        onResponseStart(_controller, statusCode, received) {
          status = statusCode;
          responseHeaders = received;
        },
        onResponseData(started, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes <= limitBytes) return;
          settle(true);
          started.abort(new Error("the body is too long"));
        },
        onResponseEnd: () => settle(false),
        onResponseError(_controller, error) {
          stopWatching();
          reject(explain(error));
        },
      },
    );
  });
}

/** Calls `give` when the deadline has passed, at once if it has already; returns how to stop that. */
function watch(deadline: Deadline, give: (reason: unknown) => void): () => void {
  if (!(deadline instanceof AbortSignal)) {
    const timer = setTimeout(() => give(deadline.reason()), deadline.timeoutMs);
    return () => clearTimeout(timer);
  }
  const onAbort = (): void => give(deadline.reason);
  if (deadline.aborted) onAbort();
  else deadline.addEventListener("abort", onAbort, { once: true });
  return () => deadline.removeEventListener("abort", onAbort);
}

function failureOf(hook: string, host: string, error: unknown): SwarmError {
  if (error instanceof ConnectError) {
    return new SwarmError(error.code, { hook, host: error.host, problem: error.message }, { cause: error });
  }
  const problem = error instanceof Error ? error.message : String(error);
  return new SwarmError("SWARM_RESPONSE_BROKEN", { hook, host, problem }, { cause: error });
}
