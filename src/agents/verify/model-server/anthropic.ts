import { type Dialect, type Json, listOf, textOf, toolsIn } from "./dialect.ts";
import type { ModelReply } from "./script.ts";

/** Anthropic Messages: Claude Code, the Claude Agent SDK. */
export const anthropicMessages: Dialect = {
  name: "anthropic-messages",
  path: /^\/v1\/messages$/,
  read(body) {
    const messages = listOf(body.messages);
    const parts = messages.flatMap(({ content }) => listOf(content));
    const results = parts.filter(({ type }) => type === "tool_result");
    return {
      isStreamed: body.stream === true,
      turn: {
        prompts: messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
        toolResults: results.map(({ content }) => textOf(content)),
        tools: toolsIn(listOf(body.tools)),
      },
    };
  },
  whole: (reply, id) => ({ ...head(id), content: [block(reply, id)], stop_reason: stopReason(reply) }),
  pieces(reply, id) {
    const delta =
      "tool" in reply
        ? { type: "input_json_delta", partial_json: JSON.stringify(reply.input) }
        : { type: "text_delta", text: reply.text };
    const empty = "tool" in reply ? { ...block(reply, id), input: {} } : { type: "text", text: "" };
    return [
      { type: "message_start", message: { ...head(id), content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: empty },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ].map((data) => ({ event: data.type, data }));
  },
};

function head(id: string): Json {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function block(reply: ModelReply, id: string): Json {
  return "tool" in reply
    ? { type: "tool_use", id: `toolu_${id}`, name: reply.tool, input: reply.input }
    : { type: "text", text: reply.text };
}

function stopReason(reply: ModelReply): string {
  return "tool" in reply ? "tool_use" : "end_turn";
}
