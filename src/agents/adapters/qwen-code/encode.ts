import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, objectionOf, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { isChanged } from "../rewrites.ts";
import { type QwenEvent, qwenEvents } from "./events.ts";

type Json = Record<string, unknown>;

export function encodeQwen(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(qwenEvents, call);
  if (event === undefined) return silence;
  const isDenied = outcome.decision.verdict === "deny" && event.deny !== "nothing";
  const specific = specificOutput(event, outcome, call, isDenied);
  return jsonAnswer(
    given({
      ...rootFields(event, outcome, isDenied),
      hookSpecificOutput:
        Object.keys(specific).length === 0 ? undefined : { hookEventName: call.nativeEvent, ...specific },
    }),
  );
}

/** A denial before a tool says `continue: false` as well: with it, the allow of another hook cannot undo the denial. */
function rootFields({ denyForm, takesStop }: QwenEvent, { decision }: Outcome, isDenied: boolean): Json {
  const denial = isDenied ? reasonOf(decision) : null;
  const isDeniedByStop = denial !== null && (denyForm === "permission" || denyForm === "stop");
  const stop = takesStop ? decision.stop : null;
  return {
    ...(denial !== null && denyForm === "block" ? { decision: "block", reason: denial } : {}),
    ...(stop !== null || isDeniedByStop
      ? { continue: false, stopReason: [denial, stop].filter((text) => text !== null).join("\n") }
      : {}),
  };
}

function specificOutput(event: QwenEvent, outcome: Outcome, call: DecodedCall, isDenied: boolean): Json {
  const { decision } = outcome;
  if (event.denyForm === "behavior") return given({ decision: behavior(outcome, isDenied) });
  const context = event.takesContext ? contextOf(decision) : undefined;
  const feedback = isDenied && event.denyForm === "context" ? objectionOf(decision) : undefined;
  const texts = [feedback, context, preservedRules(event, outcome, call)].filter(
    (text) => text !== undefined,
  );
  return given({
    ...(event.denyForm === "permission" ? permission(event, outcome) : {}),
    additionalContext: texts.length === 0 ? undefined : texts.join("\n\n"),
  });
}

function permission(event: QwenEvent, { decision }: Outcome): Json {
  const { verdict } = decision;
  if (verdict === "none" || !event.verdicts.includes(verdict)) return {};
  return { permissionDecision: verdict, permissionDecisionReason: reasonFor(decision, verdict) };
}

function reasonFor(decision: Outcome["decision"], verdict: string): string {
  return verdict === "deny"
    ? reasonOf(decision)
    : decision.reason?.trim() || `${decision.hook ?? "a hook"} asks`;
}

function behavior({ decision }: Outcome, isDenied: boolean): Json | undefined {
  if (isDenied) return { behavior: "deny", message: reasonOf(decision) };
  return decision.verdict === "allow" ? { behavior: "allow" } : undefined;
}

/** Context at PreCompact becomes instructions for the summary. */
function preservedRules(event: QwenEvent, outcome: Outcome, call: DecodedCall): string | undefined {
  const data = outcome.data as { readonly preserve?: readonly string[] };
  if (!event.rewrites.includes("preserve") || data.preserve === undefined || data.preserve.length === 0)
    return;
  if (!isChanged(call.data, data, "preserve")) return;
  return `Keep in the summary:\n${data.preserve.map((rule) => `- ${rule}`).join("\n")}`;
}
