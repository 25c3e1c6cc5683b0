import { limits } from "../../base/limits.ts";
import type { EventName } from "../../engine/events/names.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { Runtime } from "../../daemon/runtime/runtime.ts";
import { rowOfCall } from "../adapters/event-rows.ts";
import type { Adapter, DecodedCall } from "../port/adapter.ts";

/** Where the agent itself reads on; a subagent's context is not its own. */
const readByAgent: readonly EventName[] = ["session.start", "prompt.submit", "tool.after", "tool.failed"];

/** Puts messages to the agent whose call it is behind what hooks say to it, where it can be told anything. Returns which they are. */
export async function addMessages(
  swarm: Runtime["swarm"],
  adapter: Adapter,
  call: DecodedCall,
  outcome: Outcome,
): Promise<string[]> {
  const row = rowOfCall(adapter.events, call);
  const { context, verdict } = outcome.decision;
  const isRead = row?.takesContext === true && readByAgent.includes(call.event) && verdict !== "deny";
  if (!isRead) return [];
  const said = context.join("\n\n").length;
  const room = Math.min(row.maxContextChars ?? limits.contextCharsPerEvent, limits.contextCharsPerEvent);
  const delivery = await swarm.messagesFor(call.origin.session, room - said - 2);
  if (delivery === null) return [];
  outcome.decision = { ...outcome.decision, context: [...context, delivery.text] };
  return [`messages: ${delivery.messageIds.join(", ")}`];
}
