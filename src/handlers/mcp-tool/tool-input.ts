import type { HandlerCall } from "../../engine/hooks/handler.ts";
import type { ToolInfo } from "./tools.ts";

/** What every tool is given, and what it may give back. */
export interface Conversation {
  readonly messages: readonly unknown[];
  readonly context: unknown;
}

type Data = Readonly<Record<string, unknown>>;

export function conversationOf(data: Data): Conversation {
  return { messages: Array.isArray(data.messages) ? data.messages : [], context: data.context ?? null };
}

/**
 * A tool's arguments: the conversation, and of the event whatever its input schema names, be it a field of the payload
 * (`tool_name`) or else of the envelope (`session`, `data`). A tool that takes no others is spared the conversation.
 */
export function toolInput(
  { takes, isClosed }: ToolInfo,
  conversation: Conversation,
  data: Data,
  call: HandlerCall,
): Record<string, unknown> {
  const event: Data = { ...call.envelope(data), ...data, ...conversation };
  const asked = [...takes].filter((name) => Object.hasOwn(event, name));
  const given = isClosed ? asked : [...new Set([...Object.keys(conversation), ...asked])];
  return Object.fromEntries(given.map((name) => [name, event[name]]));
}
