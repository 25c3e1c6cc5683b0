import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, objectionOf, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { type CopilotEvent, copilotEvents, type DenyForm } from "./events.ts";

type Json = Record<string, unknown>;

/** The same keys whatever spelling the event has: Copilot CLI reads them under both. */
export function encodeCopilot(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(copilotEvents, call);
  if (event === undefined) return silence;
  const { decision } = outcome;
  const isDenied = decision.verdict === "deny" && event.deny !== "nothing";
  const said = decisionFields(event, outcome, isDenied);
  // With feedback a masked result goes out as well, so that the original does not.
  const rewritten = isDenied && event.deny === "prevents" ? {} : rewrites(event, outcome, call);
  const context = event.takesContext ? contextOf(decision) : undefined;
  const feedback = isDenied && event.denyForm === "context" ? objectionOf(decision) : undefined;
  const texts = [feedback, context].filter((text) => text !== undefined);
  return jsonAnswer(
    given({ ...said, ...rewritten, additionalContext: texts.length === 0 ? undefined : texts.join("\n\n") }),
  );
}

function decisionFields(event: CopilotEvent, { decision }: Outcome, isDenied: boolean): Json {
  const { verdict, reason } = decision;
  if (verdict === "none" || event.denyForm === null || !event.verdicts.includes(verdict)) return {};
  const why = isDenied ? reasonOf(decision) : (reason ?? undefined);
  const forms: Readonly<Record<DenyForm, Json>> = {
    permission: { permissionDecision: verdict, permissionDecisionReason: why },
    // Asking a person is what it is about to do.
    behavior: verdict === "ask" ? {} : { behavior: verdict, message: why },
    block: { decision: "block", reason: why },
    context: {},
  };
  return forms[event.denyForm];
}

function rewrites(event: CopilotEvent, outcome: Outcome, call: DecodedCall): Json {
  const data = outcome.data as Readonly<Record<string, unknown>>;
  const changed = (field: string): unknown =>
    event.rewrites.includes(field) && isChanged(call.data, data, field)
      ? nativeValue(data[field])
      : undefined;
  return {
    modifiedArgs: changed("tool_input"),
    modifiedResult: changed("tool_output"),
    modifiedPrompt: changed("prompt"),
  };
}
