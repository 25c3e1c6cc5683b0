import type { Origin } from "../events/envelope.ts";
import type { AgentName, DecodedCall, NativeCall, NativeEvent } from "../ports/adapter.ts";
import { callKey } from "./call-key.ts";
import { toOurFields } from "./fields.ts";

/** A call of an agent that writes snake_case on stdin and names its event in `hook_event_name`. */
export function decodeCall(
  agent: AgentName,
  events: ReadonlyMap<string, NativeEvent>,
  call: NativeCall,
): DecodedCall {
  const { payload } = call;
  const nativeEvent = textOf(payload.hook_event_name) ?? "";
  const event = events.get(nativeEvent)?.event ?? "native.unknown";
  const data =
    event === "native.unknown" ? { name: nativeEvent, source: agent, payload } : toOurFields(event, payload);
  return {
    event,
    nativeEvent,
    data,
    origin: originOf(agent, nativeEvent, payload),
    key: callKey(agent, call),
  };
}

/** Inside a subagent both its id and its kind are sent; a session started with `--agent` has only the kind. */
function originOf(agent: AgentName, nativeEvent: string, payload: NativeCall["payload"]): Origin {
  return {
    session: textOf(payload.session_id),
    agent: textOf(payload.agent_id) ?? textOf(payload.agent_type),
    cwd: textOf(payload.cwd),
    source: agent,
    native_event: nativeEvent,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
