import type { JsonSchema } from "../../engine/events/json-schema.ts";
import type { Fields, PayloadOf } from "../../engine/events/schema.ts";
import type { Identities, Identity } from "../access/identities.ts";
import type { AgentKind, Role } from "../access/port/token-store.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** Whom a call is answered for and with what. */
export interface Context {
  readonly runtime: Runtime;
  readonly identities: Identities;
  readonly caller: Identity;
  /** `human:NAME` or `agent:ID`, for the record. */
  readonly actor: string;
  /** Where the daemon listens; null when there is none and the command line works on the files itself. */
  readonly address: string | null;
  /** Where browsers find the dashboard; null when there is no daemon, or when the name may lead to another program. */
  readonly page: string | null;
  /** Aborted when the caller has gone; absent where there is no daemon. */
  readonly signal?: AbortSignal;
  /** Has a browser keep a cookie; whoever is none has no use for it. */
  setCookie(cookie: string): void;
}

/**
 * One operation: its place in the REST surface, what it takes and gives, and what it does. The server, the OpenAPI
 * document and the command line are all made from the table of these.
 */
export interface Route<
  P extends Fields = Fields,
  Q extends Fields = Fields,
  B extends Fields = Fields,
  R = unknown,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  /** Null: takes no body. */
  readonly body: B | null;
  /** The body comes as it was sent, with the headers: whoever sent it has signed them. */
  readonly takesRaw?: true;
  /** The body comes as it is sent, piece by piece, and the operation has a limit of its own. */
  readonly takesStream?: true;
  /** Of an answer that is no JSON; the operation answers with a `Response` then. */
  readonly answersType?: string;
  readonly response: JsonSchema;
  /** Answered without a token. */
  readonly isOpen?: boolean;
  /** Who may; default a viewer what only looks, an operator the rest. */
  readonly role?: Role;
  /** Agents of at least this kind may as well; without it none may. */
  readonly forAgents?: AgentKind;
  handle(context: Context, input: RouteInput<P, Q, B>): R | Promise<R>;
}

export interface RouteInput<P extends Fields, Q extends Fields, B extends Fields> {
  readonly params: PayloadOf<P>;
  readonly query: PayloadOf<Q>;
  readonly body: PayloadOf<B>;
  readonly raw?: RawRequest;
  readonly stream?: StreamedRequest;
}

/** For operations that take it so. */
export interface RawRequest {
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** For operations that take it so. */
export interface StreamedRequest {
  header(name: string): string | undefined;
  /** Null: there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

export function route<
  R,
  const P extends Fields = Record<never, never>,
  const Q extends Fields = Record<never, never>,
  const B extends Fields = Record<never, never>,
>(
  definition: Omit<Route<P, Q, B, R>, "params" | "query" | "body"> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
  },
): Route<P, Q, B, R> {
  return { params: {} as P, query: {} as Q, body: null, ...definition };
}

export function roleFor({ role, method }: Pick<Route, "role" | "method">): Role {
  return role ?? (method === "GET" ? "viewer" : "operator");
}
