import type { ModelReply, ModelTurn, OfferedTool } from "./script.ts";

/** One vendor's words for the same conversation. */
export interface Dialect {
  readonly name: "anthropic-messages" | "openai-responses" | "openai-chat-completions" | "gemini";
  /** Addresses it is spoken at. */
  readonly path: RegExp;
  read(body: Json, path: string): Asked;
  /** The whole reply at once. */
  whole(reply: ModelReply, id: string): Json;
  /** The same in pieces. */
  pieces(reply: ModelReply, id: string): readonly StreamEvent[];
}

export interface Asked {
  readonly turn: ModelTurn;
  readonly isStreamed: boolean;
}

/** One event of a stream; without a name where the dialect has none. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: Json | "[DONE]";
}

export type Json = Readonly<Record<string, unknown>>;

/** Bodies come from programs we do not know: whatever is not there is empty. */
export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** The text of a field that is one, or a list of parts that have one. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return listOf(value)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

export function toolsIn(tools: readonly Json[], namespace?: string): OfferedTool[] {
  return tools
    .map(({ name }) => name)
    .filter((name) => typeof name === "string")
    .map((name) => (namespace === undefined ? { name } : { name, namespace }));
}
