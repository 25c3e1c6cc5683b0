import type { Decision } from "../../../engine/events/decision.ts";
import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { type GeminiEvent, geminiEvents } from "./events.ts";

type Json = Record<string, unknown>;

export function encodeGemini(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(geminiEvents, call);
  if (event === undefined) return silence;
  const isDenied = outcome.decision.verdict === "deny" && event.deny !== "nothing";
  const specific = specificOutput(event, outcome, call, isDenied);
  return jsonAnswer(
    given({
      ...decisionFields(event, outcome.decision, isDenied),
      hookSpecificOutput:
        Object.keys(specific).length === 0 ? undefined : { hookEventName: call.nativeEvent, ...specific },
    }),
  );
}

/** Of a reason for both, `stopReason` is what is shown: it has all of them. */
function decisionFields(event: GeminiEvent, decision: Decision, isDenied: boolean): Json {
  const denial = isDenied ? reasonOf(decision) : null;
  const stop = event.takesStop ? decision.stop : null;
  const isStopped = stop !== null || (denial !== null && event.denyForm === "model");
  return {
    ...(denial === null ? {} : { decision: "deny", reason: denial }),
    ...(isStopped
      ? { continue: false, stopReason: [denial, stop].filter((text) => text !== null).join("\n") }
      : {}),
  };
}

function specificOutput(event: GeminiEvent, outcome: Outcome, call: DecodedCall, isDenied: boolean): Json {
  const additionalContext = event.takesContext ? contextOf(outcome.decision) : undefined;
  if (isDenied) return given({ additionalContext });
  const messages = changed(event, "messages", outcome, call);
  return given({
    // All of it, because what is not named stays as it was.
    tool_input: changed(event, "tool_input", outcome, call),
    llm_request: messages === undefined ? undefined : { messages },
    additionalContext,
  });
}

function changed(event: GeminiEvent, field: string, outcome: Outcome, call: DecodedCall): unknown {
  const data = outcome.data as Readonly<Record<string, unknown>>;
  const isTaken = event.rewrites.includes(field) && isChanged(call.data, data, field);
  return isTaken ? nativeValue(data[field]) : undefined;
}
