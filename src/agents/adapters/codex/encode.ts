import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { type CodexEvent, codexEvents } from "./events.ts";

type Json = Record<string, unknown>;

/** The answer to one call: nothing on stdout when there is nothing to say, and never a key its event does not have. */
export function encodeCodex(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(codexEvents, call);
  if (event === undefined) return silence;
  const { decision } = outcome;
  const isDenied = decision.verdict === "deny" && event.deny !== "nothing";
  const specific = specificOutput(event, outcome, call, isDenied);
  return jsonAnswer(
    given({
      ...stopFields(event, outcome, isDenied),
      ...(isDenied && event.denyForm === "block" ? { decision: "block", reason: reasonOf(decision) } : {}),
      hookSpecificOutput:
        Object.keys(specific).length === 0 ? undefined : { hookEventName: call.nativeEvent, ...specific },
    }),
  );
}

function stopFields(event: CodexEvent, { decision }: Outcome, isDenied: boolean): Json {
  const denial = isDenied && event.denyForm === "stop" ? reasonOf(decision) : null;
  const stop = event.takesStop ? decision.stop : null;
  const reasons = [denial, stop].filter((text) => text !== null);
  return reasons.length === 0 ? {} : { continue: false, stopReason: reasons.join("\n") };
}

function specificOutput(event: CodexEvent, outcome: Outcome, call: DecodedCall, isDenied: boolean): Json {
  const { decision } = outcome;
  if (event.denyForm === "behavior") {
    if (isDenied) return { decision: { behavior: "deny", message: reasonOf(decision) } };
    return decision.verdict === "allow" ? { decision: { behavior: "allow" } } : {};
  }
  const additionalContext = event.takesContext ? contextOf(decision) : undefined;
  if (isDenied && event.denyForm === "permission") {
    const permissionDecisionReason = reasonOf(decision);
    return given({ permissionDecision: "deny", permissionDecisionReason, additionalContext });
  }
  return given({ ...rewrite(event, outcome, call), additionalContext });
}

/** Codex reads a rewrite only next to an allow. There is nothing that allow could grant: it has no such outcome. */
function rewrite(event: CodexEvent, outcome: Outcome, call: DecodedCall): Json {
  const data = outcome.data as Readonly<Record<string, unknown>>;
  if (!event.rewrites.includes("tool_input") || !isChanged(call.data, data, "tool_input")) return {};
  return { permissionDecision: "allow", updatedInput: nativeValue(data.tool_input) };
}
