import { type Dialect, type Json, listOf, textOf, toolsIn } from "./dialect.ts";
import type { ModelReply, OfferedTool } from "./script.ts";

/** OpenAI Responses: Codex. */
export const openaiResponses: Dialect = {
  name: "openai-responses",
  path: /^(\/v1)?\/responses$/,
  read(body) {
    const items =
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : listOf(body.input);
    return {
      isStreamed: body.stream === true,
      turn: {
        prompts: items.filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
        toolResults: items.filter(isToolOutput).map(({ output }) => textOf(output)),
        tools: listOf(body.tools).flatMap(offeredBy),
      },
    };
  },
  whole: response,
  pieces(reply, id) {
    const item = itemOf(reply, id);
    return [
      {
        type: "response.created",
        response: { ...response(reply, id), status: "in_progress", output: [], usage: null },
      },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: response(reply, id) },
    ].map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
  },
};

/** `function_call_output`, `custom_tool_call_output`, `local_shell_call_output` … */
function isToolOutput({ type }: Json): boolean {
  return typeof type === "string" && type.endsWith("_call_output");
}

/** A namespace is no tool; it holds some. */
function offeredBy(tool: Json): OfferedTool[] {
  return typeof tool.name === "string" && tool.type === "namespace"
    ? toolsIn(listOf(tool.tools), tool.name)
    : toolsIn([tool]);
}

function response(reply: ModelReply, id: string): Json {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    model: "scripted",
    status: "completed",
    output: [itemOf(reply, id)],
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    },
  };
}

function itemOf(reply: ModelReply, id: string): Json {
  if ("tool" in reply && reply.text !== undefined) {
    const called = { name: reply.tool, input: reply.text, status: "completed" };
    return {
      type: "custom_tool_call",
      id: `ctc_${id}`,
      call_id: `call_${id}`,
      ...called,
    };
  }
  return "tool" in reply
    ? {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call_${id}`,
        name: reply.tool,
        ...(reply.namespace === undefined ? {} : { namespace: reply.namespace }),
        arguments: JSON.stringify(reply.input),
        status: "completed",
      }
    : {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: reply.text, annotations: [] }],
      };
}
