import type { Adapter, DecodedCall } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { byTime } from "../call-key.ts";
import { callerOf } from "../caller.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { nativeValue } from "../fields.ts";
import { isObject } from "../paths.ts";
import { refuseBy } from "../refusals.ts";
import { encodeGemini } from "./encode.ts";
import { geminiEvents } from "./events.ts";
import { geminiFields } from "./fields.ts";
import { geminiQuirks } from "./quirks.ts";
import { geminiSettings } from "./settings.ts";
import { geminiTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "gemini-cli",
  tools: geminiTools,
  rows: geminiEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: (_, row) => geminiFields(row?.event),
  identityOf: byTime,
};

export const geminiCli: Adapter = {
  ...namedAgent("gemini-cli"),
  events: geminiEvents,
  failedCommandEvent: "tool.after",
  typing: "none",
  quirks: geminiQuirks,
  bypasses: [],
  recognises: (call) => callerOf(call) === "gemini-cli",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten,
  encode: encodeGemini,
  refuse: refuseBy(encodeGemini),
  settings: geminiSettings,
  trust:
    "runs no hook, not even yours, in a folder you have not trusted: start gemini there in a terminal, it asks",
};

function whyNotRewritten({ data }: DecodedCall, field: string, value: unknown): string | null {
  if (field === "messages") return whyNoMessages(data.messages, value);
  const [before, after] = [nativeValue(data.tool_input), nativeValue(value)];
  if (!isObject(after)) return "it takes an object only";
  const gone = isObject(before) ? Object.keys(before).filter((key) => !Object.hasOwn(after, key)) : [];
  return gone.length === 0 ? null : `it merges arguments, and ${gone.join(", ")} would stay`;
}

/** It puts texts into the requests at hand, one by one in their order. */
function whyNoMessages(before: unknown, after: unknown): string | null {
  const isList = Array.isArray(after) && after.every(isMessage);
  if (!isList) return "it takes messages of a role and a text only";
  const count = Array.isArray(before) ? before.length : 0;
  return after.length < count ? "it cannot leave messages out" : null;
}

function isMessage(message: unknown): boolean {
  const isKnown = isObject(message) && ["user", "model", "system"].includes(String(message.role));
  return isKnown && typeof message.content === "string" && Object.keys(message).length === 2;
}
