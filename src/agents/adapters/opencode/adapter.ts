import type { Adapter, DecodedCall } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { callerOf } from "../caller.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { nativeValue } from "../fields.ts";
import { isObject } from "../paths.ts";
import { refuseBy } from "../refusals.ts";
import { hasSameShape } from "../rewrites.ts";
import { opencodeBypasses } from "./bypasses.ts";
import { encodeOpencode } from "./encode.ts";
import { opencodeEvents } from "./events.ts";
import { opencodeFields } from "./fields.ts";
import { opencodeQuirks } from "./quirks.ts";
import { opencodeSettings } from "./settings.ts";
import { opencodeTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "opencode",
  tools: opencodeTools,
  rows: opencodeEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: (native, row) => opencodeFields(native, row?.event),
  identityOf,
};

export const opencode: Adapter = {
  ...namedAgent("opencode"),
  events: opencodeEvents,
  failedCommandEvent: "tool.after",
  typing: "none",
  quirks: opencodeQuirks,
  bypasses: opencodeBypasses,
  recognises: (call) => callerOf(call) === "opencode",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten,
  encode: encodeOpencode,
  refuse: refuseBy(encodeOpencode),
  settings: opencodeSettings,
  trust: null,
};

/** A call, a message and an event of the bus each have an id. */
function identityOf({ ...data }: DecodedCall["data"]): unknown {
  const { session_id, tool_use_id, message, event } = data;
  if (typeof session_id !== "string") return null;
  const ids = [tool_use_id, isObject(message) && message.id, isObject(event) && event.id];
  return ids.some((id) => typeof id === "string") ? data : null;
}

function whyNotRewritten({ data }: DecodedCall, field: string, value: unknown): string | null {
  switch (field) {
    case "tool_input":
      return isObject(nativeValue(data.tool_input)) && isObject(nativeValue(value))
        ? null
        : "it takes an object only";
    case "prompt":
      return data.prompt === "" ? "there is no text to be changed" : null;
    case "tool_output":
      return hasSameShape(data.tool_output, value) ? null : "it has not the shape of the tool's own result";
    default:
      return null;
  }
}
