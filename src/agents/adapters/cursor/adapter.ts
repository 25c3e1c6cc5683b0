import type { Adapter, DecodedCall } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { callerOf } from "../caller.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { nativeValue } from "../fields.ts";
import { isObject } from "../paths.ts";
import { refuseBy } from "../refusals.ts";
import { isChanged } from "../rewrites.ts";
import { encodeCursor } from "./encode.ts";
import { cursorEvents } from "./events.ts";
import { cursorFields } from "./fields.ts";
import { cursorQuirks } from "./quirks.ts";
import { cursorSettings } from "./settings.ts";
import { isMcpTool, takesField } from "./tool-fields.ts";
import { cursorTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "cursor",
  tools: cursorTools,
  rows: cursorEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: cursorFields,
  identityOf,
  cwdOf: ({ cwd, workspace_roots }) =>
    cwd || (Array.isArray(workspace_roots) ? workspace_roots[0] : undefined),
};

export const cursor: Adapter = {
  ...namedAgent("cursor"),
  events: cursorEvents,
  failedCommandEvent: null,
  typing: null,
  quirks: cursorQuirks,
  bypasses: [],
  recognises: (call) => callerOf(call) === "cursor",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten,
  encode: encodeCursor,
  refuse: refuseBy(encodeCursor),
  settings: cursorSettings,
  trust: null,
};

/** A call has its id, everything else that happens once its generation. Answers may say the same twice in one. */
function identityOf(data: DecodedCall["data"], event: DecodedCall["event"]): unknown {
  const { session_id, tool_use_id, generation_id } = data;
  if (typeof session_id !== "string") return null;
  if (typeof tool_use_id === "string") return data;
  const isOnce = /^(?:session\.|subagent\.|prompt\.submit$|turn\.end$)/.test(event);
  return isOnce && typeof generation_id === "string" && generation_id !== "" ? data : null;
}

function whyNotRewritten({ data }: DecodedCall, field: string, value: unknown): string | null {
  const { tool_name } = data;
  if (field === "tool_output")
    return isMcpTool(tool_name) ? null : "only results of MCP servers' tools can be";
  const [before, after] = [nativeValue(data.tool_input), nativeValue(value)];
  if (!isObject(before) || !isObject(after)) return "it takes an object only";
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (gone.length > 0) return `${gone.join(", ")} would stay`;
  const changed = Object.keys(after).filter((key) => isChanged(before, after, key));
  const unknown = changed.filter((key) => !takesField(tool_name, key, after[key]));
  return unknown.length === 0 ? null : `of ${String(tool_name)} it does not change ${unknown.join(", ")}`;
}
