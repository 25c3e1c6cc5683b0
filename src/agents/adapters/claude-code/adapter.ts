import type { Adapter } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { exitAnswer } from "../answers.ts";
import { byCallId } from "../call-key.ts";
import { callerOf } from "../caller.ts";
import { claudeFields } from "../claude-fields.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { hasSameShape } from "../rewrites.ts";
import { claudeBypasses } from "./bypasses.ts";
import { encodeClaude } from "./encode.ts";
import { claudeEvents } from "./events.ts";
import { claudeQuirks } from "./quirks.ts";
import { claudeSettings } from "./settings.ts";
import { claudeTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "claude-code",
  tools: claudeTools,
  rows: claudeEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: (_, row) => claudeFields(row?.event),
  identityOf: byCallId,
};

export const claudeCode: Adapter = {
  ...namedAgent("claude-code"),
  events: claudeEvents,
  failedCommandEvent: "tool.failed",
  typing: "none",
  quirks: claudeQuirks,
  bypasses: claudeBypasses,
  recognises: (call) => callerOf(call) === "claude-code",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten: ({ data }, field, value) =>
    field === "tool_output" && !hasSameShape(data.tool_output, value)
      ? "it has not the shape of the tool's own output"
      : null,
  encode: encodeClaude,
  refuse: exitAnswer,
  settings: claudeSettings,
  trust: null,
};
