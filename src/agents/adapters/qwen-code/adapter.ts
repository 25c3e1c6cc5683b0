import type { Adapter, NativeAnswer } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { exitAnswer } from "../answers.ts";
import { byTime } from "../call-key.ts";
import { callerOf } from "../caller.ts";
import { claudeFields } from "../claude-fields.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { refuseBy } from "../refusals.ts";
import { qwenBypasses } from "./bypasses.ts";
import { encodeQwen } from "./encode.ts";
import { qwenEvents } from "./events.ts";
import { qwenQuirks } from "./quirks.ts";
import { qwenSettings } from "./settings.ts";
import { qwenTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "qwen-code",
  tools: qwenTools,
  rows: qwenEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: (_, row) => claudeFields(row?.event),
  identityOf: byTime,
};

export const qwenCode: Adapter = {
  ...namedAgent("qwen-code"),
  events: qwenEvents,
  failedCommandEvent: "tool.failed",
  typing: "none",
  quirks: qwenQuirks,
  bypasses: qwenBypasses,
  recognises: (call) => callerOf(call) === "qwen-code",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten: () => null,
  encode: encodeQwen,
  refuse: refuseBy(encodeQwen, exitWithJson),
  settings: qwenSettings,
  trust: null,
};

/** Read as an answer when it is an object: so the denial can say what no other hook's allow undoes. */
function exitWithJson(reason: string): NativeAnswer {
  const why = reason.trim() || "denied by a hook";
  return exitAnswer(JSON.stringify({ decision: "deny", reason: why, continue: false, stopReason: why }));
}
