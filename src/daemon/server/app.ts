import type { HttpBindings } from "@hono/node-server";
import { type Context as Call, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Gate } from "../access/check-caller.ts";
import type { Identity } from "../access/identities.ts";
import { keyHeader } from "../access/session-cookie.ts";
import { McpEndpoint, mcpPath } from "../../swarm/mcp/http.ts";
import { actorOf, checkRole } from "../rest/check-role.ts";
import { served } from "../rest/openapi.ts";
import { problemOf, problemType } from "../rest/problem.ts";
import { readInput } from "../rest/read-input.ts";
import type { Context, RawRequest, Route, StreamedRequest } from "../rest/route.ts";
import { DashboardFiles, dashboardPaths } from "./dashboard-files.ts";
import { unhurry } from "./request-deadline.ts";

/** Larger than any payload the engine takes: its own limit names the field that is too long. */
const maxBodyBytes = 16 * 1024 * 1024;

export type App = Hono<{ Variables: { caller: Identity | null } }>;

export interface AppOptions {
  readonly context: Omit<Context, "caller" | "actor" | "setCookie" | "signal">;
  readonly gate: Gate;
  readonly log: Log;
  /** Told of callers who were turned away. */
  readonly onRefused: (error: SwarmError) => void;
}

/** The REST surface of the table of routes. */
export function createApp({ context, gate, log, onRefused }: AppOptions): App {
  const app: App = new Hono();
  const openRoutes = served.filter((one) => one.isOpen === true).map(({ path }) => path);
  const openPaths = [...openRoutes, ...dashboardPaths].map(expressionOf);
  const dashboard = new DashboardFiles();

  app.use(async (call, next) => {
    const { req } = call;
    const caller = {
      host: req.header("host"),
      origin: req.header("origin"),
      authorization: req.header("authorization"),
      cookie: req.header("cookie"),
      key: req.header(keyHeader),
    };
    try {
      call.set(
        "caller",
        gate.check(
          caller,
          openPaths.some((path) => path.test(req.path)),
        ),
      );
    } catch (error) {
      if (error instanceof SwarmError) onRefused(error);
      throw error;
    }
    await next();
  });
  const limit = bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new SwarmError("SWARM_BODY_TOO_LARGE", { limitBytes: maxBodyBytes });
    },
  });
  const streamed = served.filter(({ takesStream }) => takesStream === true);
  const unlimited = streamed.map(({ method, path }) => ({ method, path: expressionOf(path) }));
  app.use((call, next) => {
    const isUnlimited = unlimited.some(
      ({ method, path }) => method === call.req.method && path.test(call.req.path),
    );
    return isUnlimited ? next() : limit(call, next);
  });

  for (const path of dashboardPaths) {
    app.get(path, ({ req }) => dashboard.answer(path, req.header("if-none-match")));
  }
  const mcp = new McpEndpoint(context);
  app.all(mcpPath, ({ req, get }) => mcp.answer(req.raw, get("caller") ?? nobody));
  for (const route of served) {
    app.on(route.method, patternOf(route.path), async (call) => {
      const caller = call.get("caller") ?? nobody;
      checkRole(caller, route);
      const body = route.body === null ? undefined : await readBody(call);
      const input = readInput(route, { params: call.req.param(), query: call.req.query(), body });
      const raw = route.takesRaw === true ? { raw: await rawOf(call) } : {};
      const stream = route.takesStream === true ? { stream: streamOf(call) } : {};
      const who = { caller, actor: actorOf(caller) };
      const setCookie = (cookie: string): void => call.header("set-cookie", cookie, { append: true });
      const asked = {
        ...context,
        ...who,
        setCookie,
        // Only where it is asked for: the request has to be made whole for it.
        get signal() {
          return call.req.raw.signal;
        },
      };
      const answered = await route.handle(asked, { ...input, ...raw, ...stream });
      if (answered instanceof Response) return answered;
      return call.json(answered as object, 200, answerHeaders);
    });
  }
  for (const [path, methods] of [...methodsByPath(served), ...dashboardPaths.map(onlyRead)]) {
    app.all(patternOf(path), ({ req }) => {
      const error = new SwarmError("SWARM_METHOD_REFUSED", {
        method: req.method,
        path: req.path,
        allowed: methods,
      });
      return answer(error, { allow: methods });
    });
  }

  app.notFound(({ req }) =>
    answer(new SwarmError("SWARM_ROUTE_UNKNOWN", { method: req.method, path: req.path })),
  );
  app.onError((error) => {
    if (error instanceof SwarmError && isRefusal.test(error.code)) onRefused(error);
    if (!(error instanceof SwarmError))
      log.warn(`${error.stack ?? error.message}`, { code: "SWARM_INTERNAL" });
    return answer(error);
  });
  return app;
}

/** Who cannot sign for a message, has no login or may not do this was turned away as much as who has no token. */
const isRefusal = /^SWARM_(?:INBOUND_|LOGIN_REFUSED$|ROLE_REFUSED$)/;

/** Where no token is asked for. */
const nobody: Identity = { name: "unknown", role: "viewer" };

/** `{name}` as the framework writes it. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Paths that fit the route's. */
function expressionOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/** What the Allow header says of each path. Whatever can be got answers HEAD as well. */
function methodsByPath(routes: readonly Route[]): Map<string, string> {
  const methods = new Map<string, string>();
  for (const { path, method } of routes) {
    const own = method === "GET" ? "GET, HEAD" : method;
    const known = methods.get(path);
    methods.set(path, known === undefined ? own : `${known}, ${own}`);
  }
  return methods;
}

function onlyRead(path: string): readonly [path: string, methods: string] {
  return [path, "GET, HEAD"];
}

/** Answers are for whoever asked and for now; none is a page, whatever texts it holds. */
const answerHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export function answer(error: unknown, more: Readonly<Record<string, string>> = {}): Response {
  const problem = problemOf(error);
  const challenge = problem.status === 401 ? { "www-authenticate": "Bearer" } : {};
  const headers = { "content-type": problemType, ...answerHeaders, ...challenge, ...more };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

async function rawOf({ req }: Call): Promise<RawRequest> {
  const body = new Uint8Array(await req.arrayBuffer());
  return { header: (name) => req.header(name), body };
}

/** One that goes on may take as long as it does. */
function streamOf(call: Call): StreamedRequest {
  const { incoming } = (call.env ?? {}) as Partial<HttpBindings>;
  if (incoming !== undefined && call.req.method !== "GET") unhurry(incoming);
  return { header: (name) => call.req.header(name), body: call.req.raw.body };
}

/** Strictly UTF-8: a byte that is replaced on the way would be judged as something it is not. */
async function readBody({ req }: Call): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await req.arrayBuffer()));
  } catch (error) {
    throw new SwarmError("SWARM_BODY_INVALID", { problem: (error as Error).message });
  }
}
