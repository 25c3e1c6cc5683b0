// A server of the Model Context Protocol on stdin and stdout, with one tool. `swarm verify` gives it to an agent to see whether
// a denied call of the tool is kept from it: node verify-mcp-server.mjs FOLDER TOOL. The tool makes the file it is told to.
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";

const [, , folder, tool] = process.argv;

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "swarm-verify", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [
      {
        name: tool,
        description: "Makes a file, so that swarm verify sees whether it ran.",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        },
      },
    ],
  }),
  "tools/call": ({ arguments: { text } }) => {
    // The base name alone: it can make files in this folder and in no other.
    writeFileSync(join(folder, basename(text)), "ran");
    return { content: [{ type: "text", text: "done" }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue; // a notification has no answer
  const answer = Object.hasOwn(methods, method)
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
