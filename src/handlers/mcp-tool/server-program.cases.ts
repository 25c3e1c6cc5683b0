// A real MCP server for tests: `server-program.cases.ts stdio|http new|old`. Every start adds its pid to the file $STARTS.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "@hono/node-server";
import {
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

type Input = Record<string, unknown> & {
  messages?: { role?: string; content?: string }[];
  context?: object | null;
};

const conversation = { messages: { type: "array" }, context: { type: ["object", "null"] } };
const open = { type: "object", properties: conversation } as const;

/** Tools by name: their input schema, and what they do. */
const tools: Record<string, { schema: object; run: (input: Input) => unknown }> = {
  echo: { schema: open, run: ({ messages, context }) => ({ messages, context }) },
  silent: { schema: open, run: () => undefined },
  say: { schema: open, run: () => text("logged") },
  allow: { schema: open, run: () => ({ verdict: "allow" }) },
  deny: { schema: open, run: () => ({ verdict: "deny", reason: "no" }) },
  carry_on: { schema: open, run: () => ({ carry_on: false, reason: "no" }) },
  deny_in_text: { schema: open, run: () => text(`{"verdict": "deny", "reason": "no"}`) },
  claude: {
    schema: open,
    run: () => ({ hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } }),
  },
  rewrite: { schema: open, run: () => ({ rewrite: { tool_input: { command: "true" } } }) },
  context: { schema: open, run: () => ({ context: "mind the gap" }) },
  note: { schema: open, run: ({ context }) => ({ context: { ...context, noted: true } }) },
  users_only: {
    schema: open,
    run: ({ messages = [] }) => ({ messages: messages.filter(({ role }) => role === "user") }),
  },
  clear: { schema: open, run: () => ({ messages: [], context: null }) },
  wrapped: { schema: open, run: () => ({ result: null }) },
  wrapped_deny: { schema: open, run: () => ({ result: { verdict: "deny", reason: "no" } }) },
  asked: {
    schema: {
      type: "object",
      properties: {
        tool_name: {},
        tool_input: {},
        session: {},
        event: {},
        data: {},
        nowhere: {},
        ["__proto__"]: {},
      },
    },
    run: (input) => ({ context: { asked: input } }),
  },
  closed: {
    schema: { type: "object", properties: { tool_name: {} }, additionalProperties: false },
    run: (input) => ({ context: { asked: input } }),
  },
  fail: { schema: open, run: () => ({ ...text("disk full"), isError: true }) },
  garbage: { schema: open, run: () => ({ verdict: "block" }) },
  typo: { schema: open, run: () => ({ verdit: "deny" }) },
  half: { schema: open, run: () => text(`{"verdict": "deny"`) },
  two: { schema: open, run: () => ({ content: [...text("{}").content, ...text("{}").content] }) },
  list: { schema: open, run: () => ({ structuredContent: [1], content: [] }) },
  big: { schema: open, run: () => text("x".repeat(2 * 1024 * 1024)) },
  asks_back: {
    schema: open,
    run: () => {
      const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: "who?", requestedSchema }) },
      });
    },
  },
  hang: { schema: open, run: () => new Promise(() => undefined) },
  slow: {
    schema: open,
    run: async ({ messages }) => {
      await sleep(100);
      return { messages, context: { slow: true } };
    },
  },
  die: { schema: open, run: () => process.exit(7) },
  pid: { schema: open, run: () => ({ context: { pid: process.pid } }) },
  variables: {
    schema: open,
    run: () => ({ context: { names: Object.keys(process.env), cwd: process.cwd() } }),
  },
  complain: {
    schema: open,
    run: () => {
      process.stderr.write(`the token is ghp_${"x".repeat(30)}\n${"y".repeat(100_000)}\nunheard\n`);
      return undefined;
    },
  },
  add: {
    schema: open,
    run: () => {
      tools.added = { schema: open, run: () => ({ context: { added: true } }) };
      tools.echo = {
        schema: { type: "object", properties: { tool_name: {} } },
        run: (input) => ({ context: input }),
      };
      tellOfChange();
      return undefined;
    },
  },
};

let tellOfChange: () => void = () => undefined;

function text(content: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text: content }] };
}

function makeServer(): McpServer {
  const capabilities = { tools: { listChanged: true } };
  const server = new McpServer({ name: "test", version: "1.0.0" }, { capabilities });
  for (const [name, { schema, run }] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema: fromJsonSchema(schema) }, async (input) => {
      const answer = (await run(input as Input)) as CallToolResult | undefined;
      if (answer === undefined) return { content: [] };
      if ("content" in answer || "resultType" in answer) return answer;
      return { ...text("for people"), structuredContent: answer };
    });
  }
  return server;
}

appendFileSync(process.env.STARTS ?? "/dev/null", `${process.pid}\n`);
const [, , transport, era] = process.argv;
if (transport === "stdio") serveOverPipes();
else serveOverHttp();

function serveOverPipes(): void {
  if (era === "old") {
    const server = makeServer();
    tellOfChange = () => addMissing(server);
    void server.connect(new StdioServerTransport());
  } else {
    const made: McpServer[] = [];
    tellOfChange = () => made.forEach(addMissing);
    serveStdio(() => {
      const server = makeServer();
      made.push(server);
      return server;
    });
  }
}

/** Registering is what makes the SDK's server tell its clients. */
function addMissing(server: McpServer): void {
  const { added } = tools;
  if (added === undefined) return;
  server.registerTool("added", { inputSchema: fromJsonSchema(added.schema) }, async (input) => ({
    content: [],
    structuredContent: added.run(input as Input) as Record<string, unknown>,
  }));
}

function serveOverHttp(): void {
  const fetch = era === "old" ? withSessions() : withoutSessions();
  const server = serve({ fetch, port: Number(process.env.PORT ?? 0), hostname: "127.0.0.1" }, ({ port }) => {
    process.stdout.write(`listening on ${port}\n`);
  });
  process.on("SIGTERM", () => server.close());
}

function withoutSessions(): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(makeServer, { legacy: "reject" });
  tellOfChange = () => handler.notify.toolsChanged();
  return (request) => answer(request, () => handler.fetch(request));
}

function withSessions(): (request: Request) => Promise<Response> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return (request) =>
    answer(request, async () => {
      const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
      if (known !== undefined) return known.handleRequest(request);
      if (request.headers.has("mcp-session-id")) return new Response("no such session", { status: 404 });
      const server = makeServer();
      const tellOthers = tellOfChange;
      tellOfChange = () => {
        tellOthers();
        addMissing(server);
      };
      const opened = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, opened),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      await server.connect(opened);
      return opened.handleRequest(request);
    });
}

/** Requests are noted in the file $REQUESTS; all paths but `/mcp` misbehave on purpose. */
async function answer(request: Request, mcp: () => Promise<Response>): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { headers } = request;
  appendFileSync(process.env.REQUESTS ?? "/dev/null", `${request.method} ${headers.get("x-key") ?? "-"}\n`);
  if (pathname === "/moved") return Response.redirect(new URL("/mcp", request.url), 307);
  if (pathname === "/broken") return new Response("out of order", { status: 500 });
  if (pathname === "/private" && headers.get("authorization") !== "Bearer s3cret") {
    return new Response("who are you?", { status: 401 });
  }
  if (pathname === "/deaf" && request.method === "GET") return new Response(null, { status: 405 });
  if (pathname === "/brief" && request.method === "GET") {
    return new Response(": that is all\n\n", { headers: { "content-type": "text/event-stream" } });
  }
  if (pathname === "/garbled" && headers.get("mcp-method") === "tools/call") {
    return Response.json({ jsonrpc: "2.0", id: "someone else" });
  }
  return mcp();
}
