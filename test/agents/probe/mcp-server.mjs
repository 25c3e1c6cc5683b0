// A server of the Model Context Protocol over stdio whose tools write the file it was started with. Their names
// follow that file; `touch` alone without any.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , marker, ...names] = process.argv;

const tools = (names.length > 0 ? names : ["touch"]).map((name) => ({
  name,
  description: "Leaves a file behind, so that a test sees whether it ran.",
  inputSchema: { type: "object", properties: { note: { type: "string" } } },
}));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "probe", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": () => {
    writeFileSync(marker, "ran");
    return { content: [{ type: "text", text: "touched" }] };
  },
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue; // a notification
  const answer = Object.hasOwn(methods, method)
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
