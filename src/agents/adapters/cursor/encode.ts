import { cut } from "../../../base/show.ts";
import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, objectionOf, reasonOf } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { type CursorEvent, cursorEvents } from "./events.ts";

type Json = Record<string, unknown>;

/** Nothing to say: an empty stdout of a hook that fails closed would block. */
const nothing: NativeAnswer = Object.freeze({ stdout: "{}\n", stderr: "", exitCode: 0 });

export function encodeCursor(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(cursorEvents, call);
  if (event === undefined) return nothing;
  const { decision } = outcome;
  const isDenied = decision.verdict === "deny" && event.deny !== "nothing";
  const answer = given({
    ...verdictFields(event, outcome, isDenied),
    ...(isDenied && event.deny === "prevents" ? {} : rewrites(event, outcome, call)),
    additional_context: contextField(event, outcome, isDenied),
  });
  return Object.keys(answer).length === 0 ? nothing : jsonAnswer(answer);
}

function verdictFields(event: CursorEvent, { decision }: Outcome, isDenied: boolean): Json {
  const stop = event.takesStop ? decision.stop : null;
  const reasons = [isDenied ? reasonOf(decision) : null, stop].filter((text) => text !== null);
  const user_message = reasons.join("\n");
  if (event.denyForm === "continue") return reasons.length === 0 ? {} : { continue: false, user_message };
  if (event.denyForm === "followup") return isDenied ? { followup_message: user_message } : {};
  if (event.denyForm !== "permission") return {};
  if (isDenied) return { permission: "deny", user_message, agent_message: user_message };
  const isAsked = decision.verdict === "ask" && event.verdicts.includes("ask");
  return isAsked ? { permission: "ask", user_message: decision.reason ?? undefined } : {};
}

/** A rewrite is put over the arguments, field by field; results can be changed of MCP servers' tools only. */
function rewrites(event: CursorEvent, outcome: Outcome, call: DecodedCall): Json {
  const data = outcome.data as Readonly<Record<string, unknown>>;
  const changed = (field: string): unknown =>
    event.rewrites.includes(field) && isChanged(call.data, data, field)
      ? nativeValue(data[field])
      : undefined;
  return { updated_input: changed("tool_input"), updated_mcp_tool_output: changed("tool_output") };
}

function contextField(event: CursorEvent, { decision }: Outcome, isDenied: boolean): string | undefined {
  if (!event.takesContext) return undefined;
  const objection = isDenied && event.denyForm === "context" ? objectionOf(decision) : undefined;
  const texts = [objection, contextOf(decision)].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : cut(texts.join("\n\n"), event.maxContextChars ?? texts.length);
}
