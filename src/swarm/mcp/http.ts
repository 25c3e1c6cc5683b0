import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { SwarmError } from "../../base/errors.ts";
import type { Identity } from "../../daemon/access/identities.ts";
import { callRoute } from "../../daemon/rest/call-route.ts";
import { actorOf } from "../../daemon/rest/check-role.ts";
import type { Context } from "../../daemon/rest/route.ts";
import { routes } from "../../daemon/server/routes.ts";
import { type CallRoute, maxMessageBytes, openMcpServer } from "./server.ts";

/** Streamable HTTP: each request is answered alone, by the token it comes with. */
export const mcpPath = "/mcp";

type Shared = Omit<Context, "caller" | "actor" | "setCookie" | "signal">;

export class McpEndpoint {
  readonly #context: Shared;
  #handler: Promise<McpHttpHandler> | null = null;

  constructor(context: Shared) {
    this.#context = context;
  }

  /** The answer to a caller who has been let in. */
  async answer(request: Request, caller: Identity): Promise<Response> {
    this.#handler ??= this.#open();
    const handler = await this.#handler;
    // The SDK hands this on to who makes the server, and reads nothing of it.
    const authInfo = { token: "", clientId: caller.name, scopes: [], extra: { caller } };
    return handler.fetch(request, { authInfo });
  }

  async #open(): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    return createMcpHandler(
      ({ authInfo, requestInfo }) =>
        openMcpServer(this.#callFor(authInfo?.extra?.caller as Identity, requestInfo?.signal)),
      { maxRequestBodySize: maxMessageBytes },
    );
  }

  #callFor(caller: Identity, gone: AbortSignal | undefined): CallRoute {
    return (name, { params, body }, cancelled) => {
      if (caller.agent === undefined)
        throw new SwarmError("SWARM_AGENT_TOKEN_MISSING", { where: `the token of ${caller.name}` });
      const signal = gone === undefined ? cancelled : AbortSignal.any([cancelled, gone]);
      const context = {
        ...this.#context,
        caller,
        actor: actorOf(caller),
        setCookie: () => undefined,
        signal,
      };
      const texts = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)]));
      return callRoute(context, routes[name], { params: texts, query: {}, body });
    };
  }
}
