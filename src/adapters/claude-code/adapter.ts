import type { Adapter } from "../../ports/adapter.ts";
import { exitAnswer } from "../answers.ts";
import { callerOf } from "../caller.ts";
import { decodeCall } from "../decode.ts";
import { hasSameShape } from "../rewrites.ts";
import { encodeClaude } from "./encode.ts";
import { claudeEventByName, claudeEvents } from "./events.ts";
import { claudeQuirks } from "./quirks.ts";
import { claudeSettings } from "./settings.ts";

export const claudeCode: Adapter = {
  agent: "claude-code",
  title: "Claude Code",
  events: claudeEvents,
  quirks: claudeQuirks,
  recognises: (call) => callerOf(call) === "claude-code",
  decode: (call) => decodeCall("claude-code", claudeEventByName, call),
  whyNotRewritten: ({ data }, field, value) =>
    field === "tool_output" && !hasSameShape(data.tool_output, value)
      ? "it has not the shape of the tool's own output"
      : null,
  encode: encodeClaude,
  refuse: exitAnswer,
  settings: claudeSettings,
};
