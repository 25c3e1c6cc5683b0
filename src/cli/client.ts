import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { userInfo } from "node:os";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { systemClock } from "../base/clock.ts";
import { type ErrorCode, errorCatalog } from "../base/error-catalog.ts";
import { SwarmError } from "../base/errors.ts";
import { socketPath } from "../base/sockets.ts";
import { agentTokenVariable } from "../agents/port/adapter.ts";
import { Identities, type Identity } from "../daemon/access/identities.ts";
import { callRoute } from "../daemon/rest/call-route.ts";
import { actorOf } from "../daemon/rest/check-role.ts";
import type { RawInput } from "../daemon/rest/read-input.ts";
import type { Context, Route, StreamedRequest } from "../daemon/rest/route.ts";
import { routes } from "../daemon/server/routes.ts";
import { openLocalRuntime } from "./home.ts";
import { swarmHome } from "./swarm-home.ts";

type Routes = typeof routes;
export type RouteName = keyof Routes;
type InputOf<N extends RouteName> = Partial<Parameters<Routes[N]["handle"]>[1]> & {
  /** Ends the wait for the answer. */
  readonly signal?: AbortSignal;
};
export type ResultOf<N extends RouteName> = Awaited<ReturnType<Routes[N]["handle"]>>;

/** Every operation, by the daemon when there is one, else on the files: the same table either way. */
export interface Client {
  readonly isDaemon: boolean;
  call<N extends RouteName>(name: N, input?: InputOf<N>): Promise<ResultOf<N>>;
}

/** Connects, does the work, and closes whatever was opened for it. */
export async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  if ((await daemonHealth()) !== null) return work(clientOf(true, askDaemon));
  const runtime = await openLocalRuntime();
  const { username } = userInfo();
  // Nobody can call what does not listen: a token of chance stands for the owner's.
  const { fence } = runtime.swarm;
  const agentOf = (hash: string) => fence.identify(hash);
  const identities = new Identities(runtime.store.tokens, systemClock, username, randomUUID(), agentOf);
  const caller = await callerOf(runtime, identities);
  const context = {
    runtime,
    identities,
    caller,
    actor: actorOf(caller),
    address: null,
    page: null,
    setCookie: () => undefined,
  };
  try {
    return await work(
      clientOf(false, (route, raw, { records, signal }) =>
        callRoute({ ...context, ...(signal && { signal }) }, route, raw, {
          stream: { header: () => undefined, body: records },
        }),
      ),
    );
  } finally {
    await runtime.close();
  }
}

/** An agent's commands are the agent's, whoever's files they work on. */
async function callerOf({ swarm }: Context["runtime"], identities: Identities): Promise<Identity> {
  const token = process.env[agentTokenVariable];
  if (token === undefined) return identities.owner;
  await swarm.open();
  const found = identities.find(token);
  if (found === null) throw new SwarmError("SWARM_TOKEN_REFUSED", { given: "a wrong token" });
  return found;
}

/** A body that is not JSON, and may be longer than what fits in memory. */
type Records = AsyncIterable<Uint8Array>;

interface More {
  readonly records: Records | null;
  readonly signal: AbortSignal | undefined;
}

type Ask = (route: Route, raw: RawInput, more: More) => Promise<unknown>;

function clientOf(isDaemon: boolean, ask: Ask): Client {
  const call = (
    name: RouteName,
    input: { [K in keyof RawInput]?: object } & {
      readonly stream?: StreamedRequest;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<unknown> => {
    const { params = {}, query = {}, body, stream, signal } = input;
    const raw = { params: texts(params), query: texts(query), body };
    return ask(routes[name], raw, { records: stream?.body ?? null, signal });
  };
  return { isDaemon, call: call as Client["call"] };
}

/** As they would stand in an address. */
function texts(values: object): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
}

async function askDaemon(route: Route, raw: RawInput, { records, signal }: More): Promise<unknown> {
  const { method, path } = route;
  const { params, query, body } = raw;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  const search = new URLSearchParams(query).toString();
  const text = body === undefined ? "" : JSON.stringify(body);
  const address = search === "" ? filled : `${filled}?${search}`;
  const answer = await askAgain(socketPath(swarmHome(), "api"), method, address, records ?? text, signal);
  if (answer.status >= 400) throw relayed(answer.body);
  return answer.body;
}

/**
 * Nobody ever listened, or whoever did is gone, or the path is too long for anybody to listen on. Anything else is a
 * daemon that does not answer as it should.
 */
const unheard = ["ENOENT", "ENOTDIR", "ECONNREFUSED", "EINVAL"];

/** What the daemon of this home says of itself; null when there is none. */
export async function daemonHealth(): Promise<ResultOf<"health"> | null> {
  try {
    const { status, body } = await askAgain(socketPath(swarmHome(), "api"), "GET", routes.health.path, "");
    if (status === 200) return body as ResultOf<"health">;
    const error = relayed(body);
    if (error instanceof SwarmError && error.code === "SWARM_NOT_SERVING") return null;
    throw error;
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (unheard.includes(code)) return null;
    throw error;
  }
}

const maxAsks = 4;

/**
 * On a machine with much to do, 2 s may go by before the daemon reads what has long arrived. Node's server then ends the
 * connection with an empty 408, and has given the request to no one: it may be made again. Records that were sent may not.
 */
async function askAgain(
  socket: string,
  method: string,
  path: string,
  body: string | Records,
  signal?: AbortSignal,
) {
  for (let asks = 1; ; asks++) {
    const answer = await ask(socket, method, path, body, signal);
    if (answer !== "unread") return answer;
    if (asks === maxAsks || typeof body !== "string") {
      const problem = `it was too busy to read the request, ${asks === 1 ? "once" : `${asks} times`}`;
      throw new SwarmError("SWARM_DAEMON_LOST", { socket, problem });
    }
  }
}

function ask(socket: string, method: string, path: string, body: string | Records, signal?: AbortSignal) {
  return new Promise<{ status: number; body: unknown } | "unread">((resolve, reject) => {
    const lost = (error: Error): void =>
      reject(new SwarmError("SWARM_DAEMON_LOST", { socket, problem: error.message }, { cause: error }));
    const token = process.env[agentTokenVariable];
    const identity = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { host: "localhost", "content-type": "application/json", ...identity };
    let isAnswered = false;
    const call = request({ socketPath: socket, method, path, headers, signal }, (response) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("error", lost);
      response.on("end", () => {
        const { statusCode: status = 0 } = response;
        const text = Buffer.concat(chunks).toString();
        if (status === 408 && text === "") return resolve("unread");
        try {
          resolve({ status, body: JSON.parse(text) });
        } catch (error) {
          lost(error as Error);
        }
      });
    });
    // An answer that comes before all was sent is one all the same: what cannot be sent any more is not missed.
    call.on("error", (error) => isAnswered || lost(error));
    if (typeof body === "string") call.end(body);
    else pipeline(Readable.from(body, { objectMode: false }), call).catch(() => undefined); // told above
  });
}

/** The daemon's error in its own words. */
function relayed(problem: unknown): Error {
  const { code, detail } = problem as { code: string; detail: string };
  if (!Object.hasOwn(errorCatalog, code)) return new SwarmError("SWARM_INTERNAL", { problem: detail });
  return new SwarmError(code as ErrorCode, {} as never, { message: detail });
}
