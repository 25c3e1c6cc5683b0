import type { EventName } from "../../../engine/events/names.ts";
import { type FieldNames, fieldNames } from "../fields.ts";

const ofSession = { "input.sessionID": "session_id" };
const ofCall = { ...ofSession, "input.tool": "tool_name", "input.callID": "tool_use_id" };
const ofBus = fieldNames({ "event.properties.sessionID": "session_id" });
const other = fieldNames(ofSession);

/** The plugin sends what OpenCode hands it, `input`, `output` and `event` as they are. */
const byNative: Readonly<Record<string, FieldNames>> = {
  "tool.execute.before": fieldNames({ ...ofCall, "output.args": "tool_input" }),
  "tool.execute.after": fieldNames({ ...ofCall, "input.args": "tool_input", output: "tool_output" }),
  "chat.message": fieldNames(ofSession),
  "session.compacted": ofBus,
  "session.idle": ofBus,
  "session.deleted": fieldNames({ "event.properties.info.id": "session_id" }),
};
const created = fieldNames({ "event.properties.sessionID": "session_id" });
const createdSubagent = fieldNames({
  "event.properties.sessionID": "session_id",
  "event.properties.info.agent": "agent_name",
});

export function opencodeFields(native: string, event: EventName | undefined): FieldNames {
  if (native === "session.created") return event === "subagent.start" ? createdSubagent : created;
  return (Object.hasOwn(byNative, native) ? byNative[native] : undefined) ?? other;
}
