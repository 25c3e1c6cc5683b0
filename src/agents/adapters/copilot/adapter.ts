import type { Adapter, DecodedCall } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { callerOf } from "../caller.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { nativeValue } from "../fields.ts";
import { isObject } from "../paths.ts";
import { refuseBy } from "../refusals.ts";
import { hasSameShape } from "../rewrites.ts";
import { encodeCopilot } from "./encode.ts";
import { copilotEvents } from "./events.ts";
import { copilotFields, nameOfEvent } from "./fields.ts";
import { copilotQuirks } from "./quirks.ts";
import { copilotSettings } from "./settings.ts";
import { copilotTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "copilot",
  tools: copilotTools,
  rows: copilotEvents,
  nameOf: nameOfEvent,
  fieldsOf: (native, row) => copilotFields(native, row?.event),
  identityOf,
};

export const copilot: Adapter = {
  ...namedAgent("copilot"),
  events: copilotEvents,
  failedCommandEvent: "tool.after",
  typing: "none",
  quirks: copilotQuirks,
  bypasses: [],
  recognises: (call) => callerOf(call) === "copilot",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten,
  encode: encodeCopilot,
  refuse: refuseBy(encodeCopilot),
  settings: copilotSettings,
  trust: null,
};

/** What both spellings of one event have in common, each in its own way: one time for all hooks of it, to the millisecond. */
function identityOf(data: DecodedCall["data"]): unknown {
  const { session_id, timestamp, tool_name } = data;
  const timeMs = typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
  if (typeof session_id !== "string" || typeof timeMs !== "number" || Number.isNaN(timeMs)) return null;
  // `bash` in one spelling is `Bash` in the other, `view` is `Read`.
  const tool =
    typeof tool_name === "string" ? (copilotTools.builtIn.get(tool_name) ?? tool_name.toLowerCase()) : null;
  const { tool_input, tool_output, prompt, error, agent_id, message } = data;
  return [session_id, timeMs, tool, tool_input, tool_output, prompt, error, agent_id, message];
}

function whyNotRewritten({ data }: DecodedCall, field: string, value: unknown): string | null {
  switch (field) {
    case "tool_input":
      return isObject(nativeValue(value)) ? null : "it takes an object only";
    case "prompt":
      return typeof value === "string" && value.trim() !== "" ? null : "it takes no empty prompt";
    default:
      return hasSameShape(data.tool_output, value) ? null : "it has not the shape of the tool's own result";
  }
}
