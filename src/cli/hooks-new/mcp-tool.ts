import { rowOf } from "../../engine/events/names.ts";
import { commandToTry } from "./sample.ts";
import { entryOf, type NewHook, type Scaffold, yamlText } from "./scaffold.ts";

/** A server with one tool, over stdin and stdout. */
export function mcpToolHook(hook: NewHook): Scaffold {
  const { name, place } = hook;
  const file = `hooks/${name}.mjs`;
  const test = `hooks/${name}.test.mjs`;
  return {
    files: [
      { path: file, text: serverText(hook) },
      { path: test, text: testText(name) },
    ],
    entry: entryOf(hook, [`server: ${yamlText(name)}`, `tool: ${yamlText(name)}`]),
    servers: `  ${yamlText(name)}: { command: node, args: [${JSON.stringify(`${place}${file}`)}] }\n`,
    test: `node --test ${test}`,
    next: [`see it called: ${commandToTry(hook.event)}`],
  };
}

function serverText({ event, name }: NewHook): string {
  return `// An MCP server with one tool, called for ${event}: when ${rowOf(event).when}.
// Messages are JSON-RPC, one a line. stdout is theirs: anything for people goes to stderr.
import { createInterface } from "node:readline";

/**
 * What it returns replaces the messages and the context; what it leaves out stays. To decide instead, return
 * { verdict: "deny", reason: "…" }. Whatever else of the event inputSchema names below comes along with the two.
 */
function callTool({ messages, context }) {
  return { messages, context: { ...context, noted_by: "${name}" } };
}

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const tool = {
  name: "${name}",
  description: "Called for ${event}",
  inputSchema: {
    type: "object",
    properties: { messages: { type: "array" }, context: { type: ["object", "null"] } },
  },
};
const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: versions.includes(protocolVersion) ? protocolVersion : versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: "${name}", version: "0.1.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ name, arguments: input = {} }) => {
    if (name !== tool.name) throw new RpcError(-32602, "unknown tool " + name);
    try {
      const structuredContent = callTool(input);
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (error) {
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const answer = answerTo(line);
  if (answer !== null) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...answer }) + "\\n");
}

function answerTo(line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    if (request?.id === undefined) return null; // a notification
    id = request.id;
    if (!Object.hasOwn(methods, request.method)) throw new RpcError(-32601, "unknown method " + request.method);
    return { id, result: methods[request.method](request.params ?? {}) };
  } catch (error) {
    const code = error instanceof SyntaxError ? -32700 : (error.code ?? -32603);
    return { id, error: { code, message: error.message } };
  }
}
`;
}

function testText(name: string): string {
  return `import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";

const server = spawn(process.execPath, [join(import.meta.dirname, "${name}.mjs")], {
  stdio: ["pipe", "pipe", "inherit"],
});
after(() => server.kill());
const lines = createInterface({ input: server.stdout });

async function request(id, method, params) {
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
  const [line] = await once(lines, "line");
  return JSON.parse(line);
}

test("${name} says hello in the version it is asked in", async () => {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const { id, result } = await request(1, "initialize", params);
  assert.deepEqual([id, result.protocolVersion, result.serverInfo.name], [1, "2025-06-18", "${name}"]);
  server.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\\n');
});

test("${name} lists its tool", async () => {
  const { result } = await request(2, "tools/list", {});
  assert.deepEqual(result.tools.map((tool) => tool.name), ["${name}"]);
});

test("${name} is called with messages and context, and returns them with its note", async () => {
  const messages = [{ role: "user", content: "hello" }];
  const params = { name: "${name}", arguments: { messages, context: { turn: 1 } } };
  const { result } = await request(3, "tools/call", params);
  assert.deepEqual(result.structuredContent, { messages, context: { turn: 1, noted_by: "${name}" } });
});

test("${name} answers what it does not know with an error", async () => {
  const codes = [
    (await request(4, "tools/call", { name: "another" })).error.code,
    (await request(5, "resources/list", {})).error.code,
  ];
  assert.deepEqual(codes, [-32602, -32601]);
});
`;
}
