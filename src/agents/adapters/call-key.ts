import { sha256 } from "../../base/sha256.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { DecodedCall } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { isObject } from "./paths.ts";

/**
 * Tells that two calls are one that came in by two files; null for an identity of null. Of the whole payload and not only
 * its ids: ids of tool calls are made by whoever serves the model, some count `call_1` again in every turn, and an answer
 * remembered for one command must not let another one pass.
 */
export function callKey(agent: AgentName, event: string, identity: unknown): string | null {
  if (identity === null) return null;
  return sha256(`${agent} ${event} ${textInOrder(identity)}`).toString("base64url");
}

/** As JSON, with the keys of objects in order: agents that write JSON again do not keep theirs. */
function textInOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textInOrder).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textInOrder(value[name])}`).join()}}`;
}

type Identity = (data: DecodedCall["data"], event: EventName) => unknown;

/**
 * For agents that give no time. Stop, compaction and permission requests come again, word for word, within one turn; a
 * session begins and ends again after a resume.
 */
export const byCallId: Identity = (data, event) => {
  if (typeof data.session_id !== "string") return null;
  if (typeof data.tool_use_id === "string") return data;
  const isPrompt = event === "prompt.submit";
  if (isPrompt && (typeof data.prompt_id === "string" || typeof data.turn_id === "string")) return data;
  return event === "subagent.start" && typeof data.agent_id === "string" ? data : null;
};

/** For agents whose payload says when the event was, to the millisecond: one time for all hooks of it. */
export const byTime: Identity = (data) =>
  typeof data.session_id === "string" && typeof data.timestamp === "string" ? data : null;
