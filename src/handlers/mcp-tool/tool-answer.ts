import { isDeepStrictEqual } from "node:util";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { SwarmError } from "../../base/errors.ts";
import { oneLine, show } from "../../base/show.ts";
import type { EventName } from "../../engine/events/names.ts";
import { readClaudeAnswer, type Warn } from "../claude/answer.ts";
import type { Conversation } from "./tool-input.ts";

type Json = Readonly<Record<string, unknown>>;

/** Who answered, and to what. */
export interface Answering {
  readonly server: string;
  readonly tool: string;
  readonly event: EventName;
  readonly isClaudeShaped: boolean;
  readonly warn?: Warn | undefined;
}

const maxTextChars = 500;

/** What a tool's result means: an answer for the engine to read, nothing, or a failure that is thrown. */
export function readToolAnswer(who: Answering, sent: Conversation, result: CallToolResult): unknown {
  if (result.isError === true) {
    const text = oneLine(textsOf(result).join(" "), maxTextChars);
    throw new SwarmError("SWARM_MCP_TOOL_FAILED", { server: who.server, tool: who.tool, text });
  }
  const answer = objectIn(who, result);
  if (answer === null) return undefined;
  if (who.isClaudeShaped && !isConversation(answer)) return readClaudeAnswer(who.event, answer, who.warn);
  return isDecision(answer) ? answer : readConversation(who, sent, answer);
}

/** Structured content, or a text that is an object; other texts are for people. */
function objectIn(who: Answering, result: CallToolResult): Json | null {
  const { structuredContent } = result;
  if (structuredContent !== undefined) return unwrapped(who, structuredContent);
  const objects = textsOf(result).filter((text) => text.trimStart().startsWith("{"));
  if (objects.length > 1) throw malformed(who, `${objects.length} objects, expected one`);
  return objects[0] === undefined ? null : parse(who, objects[0]);
}

/** Servers put what is no object, and what a tool without a return value returns, under the one key `result`. */
function unwrapped(who: Answering, content: unknown): Json | null {
  if (!isObject(content)) throw malformed(who, `${show(content)}, expected an object`);
  const isWrapped = Object.hasOwn(content, "result") && Object.keys(content).length === 1;
  if (!isWrapped) return content;
  const { result } = content;
  if (isObject(result)) return result;
  return typeof result === "string" && result.trimStart().startsWith("{") ? parse(who, result) : null;
}

function parse(who: Answering, text: string): Json {
  try {
    return JSON.parse(text) as Json; // it begins with {, so it is an object or nothing
  } catch (error) {
    throw malformed(who, `what is not JSON: ${oneLine((error as Error).message, maxTextChars)}`);
  }
}

const decisionKeys = ["verdict", "reason", "rewrite", "stop", "carry_on", "mutation"];

/** A text under `context` is for the model, as in every decision; an object there is the agent's context. */
function isDecision(answer: Json): boolean {
  if (decisionKeys.some((key) => Object.hasOwn(answer, key))) return true;
  return typeof answer.context === "string" && !Object.hasOwn(answer, "messages");
}

/** Tools give back what they were given, whatever the shape of the file that names them. */
function isConversation(answer: Json): boolean {
  const keys = Object.keys(answer);
  return (
    keys.length > 0 && keys.every((key) => key === "messages" || key === "context") && !isDecision(answer)
  );
}

/** What of the conversation has changed: a tool that has nothing to say returns what it was given, guards too. */
function readConversation(who: Answering, sent: Conversation, answer: Json): unknown {
  const foreign = Object.keys(answer).find((key) => !Object.hasOwn(sent, key));
  if (foreign !== undefined) {
    const expected = [...Object.keys(sent), ...decisionKeys].join(", ");
    throw malformed(who, `an object with key ${show(foreign)}, expected only ${expected}`);
  }
  const changed = Object.entries(answer).filter(
    ([key, value]) => !isDeepStrictEqual(value, sent[key as keyof Conversation]),
  );
  return changed.length === 0 ? undefined : { rewrite: Object.fromEntries(changed) };
}

function textsOf({ content = [] }: CallToolResult): string[] {
  return content.flatMap((block) => (block.type === "text" ? block.text : []));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function malformed({ server, tool }: Answering, problem: string): SwarmError {
  return new SwarmError("SWARM_MCP_ANSWER", { server, tool, problem });
}
