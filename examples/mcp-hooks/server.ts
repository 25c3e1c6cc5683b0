// An MCP server whose tools are hooks: each gets the messages and the context, and returns them as they should go on.
// stdout belongs to the protocol, so what is for people goes to stderr, which the daemon logs.
import { type CallToolResult, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

interface Conversation {
  messages: { role: string; content: string }[];
  context: Record<string, unknown> | null;
}

const inputSchema = fromJsonSchema<Conversation>({
  type: "object",
  properties: { messages: { type: "array" }, context: { type: ["object", "null"] } },
});

const tools: Record<string, (conversation: Conversation) => Partial<Conversation>> = {
  log_agent_start({ messages, context }) {
    process.stderr.write(`agent started with ${messages.length} messages\n`);
    return { messages, context }; // nothing has changed
  },

  log_agent_end({ messages, context }) {
    process.stderr.write(`agent ended after ${messages.length} messages\n`);
    return { messages, context };
  },

  add_system_context({ messages, context }) {
    const system_info = { platform: process.platform, message_count: messages.length };
    return { context: { ...context, system_info } }; // what is left out stays
  },

  filter_messages({ messages }) {
    const isKept = (message: Conversation["messages"][0]) =>
      message.role !== "system" || message.content.includes("important");
    return { messages: messages.filter(isKept) }; // an empty list would clear them
  },
};

serveStdio(() => {
  const server = new McpServer({ name: "agent-tools", version: "1.0.0" });
  for (const [name, tool] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema }, async (conversation): Promise<CallToolResult> => {
      const structuredContent = { ...tool(conversation) };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    });
  }
  return server;
});
