import type { Adapter, DecodedCall } from "../../port/adapter.ts";
import { namedAgent } from "../../port/agents.ts";
import { namesOfTool } from "../agent-tools.ts";
import { exitAnswer } from "../answers.ts";
import { byCallId } from "../call-key.ts";
import { callerOf } from "../caller.ts";
import { claudeFields } from "../claude-fields.ts";
import { type Decoding, decodeCall } from "../decode.ts";
import { isObject } from "../paths.ts";
import { depthOf } from "../rewrites.ts";
import { codexBypasses } from "./bypasses.ts";
import { encodeCodex } from "./encode.ts";
import { codexEvents } from "./events.ts";
import { codexQuirks } from "./quirks.ts";
import { codexSettings } from "./settings.ts";
import { codexTools } from "./tools.ts";

const decoding: Decoding = {
  agent: "codex",
  tools: codexTools,
  rows: codexEvents,
  nameOf: ({ payload }) => payload.hook_event_name,
  fieldsOf: (_, row) => claudeFields(row?.event),
  identityOf: byCallId,
};

export const codex: Adapter = {
  ...namedAgent("codex"),
  events: codexEvents,
  failedCommandEvent: "tool.after",
  typing: "unhooked",
  quirks: codexQuirks,
  bypasses: codexBypasses,
  recognises: (call) => callerOf(call) === "codex",
  decode: (call) => decodeCall(decoding, call),
  toolNames: (data) => namesOfTool(decoding.tools, data),
  whyNotRewritten,
  encode: encodeCodex,
  refuse: exitAnswer,
  settings: codexSettings,
  trust: "skips hooks until you trust them: start codex in a terminal, it shows them for review",
};

/** Its JSON parser gives up at 128 levels, and with the answer the rewrite would be gone. */
const maxDepth = 100;

function whyNotRewritten({ data }: DecodedCall, field: string, value: unknown): string | null {
  if (field !== "tool_input") return null;
  if (depthOf(value) > maxDepth) return `it is nested more than ${maxDepth} levels deep`;
  const before = data.tool_input;
  const isLine = isObject(before) && typeof before.command === "string";
  const isStillLine = isObject(value) && typeof value.command === "string";
  return isLine && !isStillLine ? "the new one has no command" : null;
}
