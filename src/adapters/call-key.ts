import { createHash } from "node:crypto";
import type { AgentName, NativeCall } from "../ports/adapter.ts";

/**
 * Tells that two calls are one that came in by two files. The whole payload counts and not only its ids: ids of tool
 * calls are made by whoever serves the model, some count `call_1` again in every turn, and an answer remembered for one
 * command must not let another one pass.
 */
export function callKey(agent: AgentName, { payload }: NativeCall): string | null {
  if (typeof payload.session_id !== "string" || !happensOnce(payload)) return null;
  return createHash("sha256")
    .update(JSON.stringify([agent, payload]))
    .digest("base64url");
}

/**
 * Whether the same payload cannot mean a second call. Stop, compaction and permission requests come again, word for
 * word, within one turn; a session begins and ends again after a resume.
 */
function happensOnce(payload: NativeCall["payload"]): boolean {
  if (typeof payload.tool_use_id === "string") return true;
  if (payload.hook_event_name === "UserPromptSubmit") {
    return typeof payload.prompt_id === "string" || typeof payload.turn_id === "string";
  }
  return payload.hook_event_name === "SubagentStart" && typeof payload.agent_id === "string";
}
