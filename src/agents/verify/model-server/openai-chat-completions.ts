import { type Dialect, type Json, listOf, objectOf, textOf, toolsIn } from "./dialect.ts";
import type { ModelReply } from "./script.ts";

/** OpenAI Chat Completions: what most others speak. */
export const openaiChatCompletions: Dialect = {
  name: "openai-chat-completions",
  path: /^(\/v1)?\/chat\/completions$/,
  read(body) {
    const messages = listOf(body.messages);
    const by = (wanted: string) =>
      messages.filter(({ role }) => role === wanted).map(({ content }) => textOf(content));
    return {
      isStreamed: body.stream === true,
      turn: {
        prompts: by("user"),
        toolResults: by("tool"),
        tools: toolsIn(listOf(body.tools).map((tool) => objectOf(tool.function))),
      },
    };
  },
  whole: (reply, id) => ({
    ...head(id, "chat.completion"),
    choices: [{ index: 0, message: message(reply, id), finish_reason: finishReason(reply) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  pieces(reply, id) {
    const chunk = (delta: Json, finish_reason: string | null) => ({
      data: { ...head(id, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }] },
    });
    return [chunk(message(reply, id), null), chunk({}, finishReason(reply)), { data: "[DONE]" }];
  },
};

function head(id: string, object: string): Json {
  return { id: `chatcmpl-${id}`, object, created: 0, model: "scripted" };
}

/** The index is for streams; whoever reads a whole reply does not look at it. */
function message(reply: ModelReply, id: string): Json {
  if (!("tool" in reply)) return { role: "assistant", content: reply.text };
  const called = { name: reply.tool, arguments: JSON.stringify(reply.input) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: called }],
  };
}

function finishReason(reply: ModelReply): string {
  return "tool" in reply ? "tool_calls" : "stop";
}
