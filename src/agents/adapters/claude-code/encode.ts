import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, exitAnswer, given, jsonAnswer, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { type ClaudeEvent, claudeEvents } from "./events.ts";

type Json = Record<string, unknown>;

/**
 * The answer to one call. Verdicts go out as JSON with exit code 0; a wrong `hookEventName` would make all of it an
 * error that blocks nothing, so it is the call's own.
 */
export function encodeClaude(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(claudeEvents, call);
  if (event === undefined) return silence;
  const { decision } = outcome;
  const isDenied = decision.verdict === "deny" && event.deny !== "nothing";
  if (isDenied && event.denyForm === "exit") {
    // Stdout is not read then, and stderr is what the model gets.
    return exitAnswer([reasonOf(decision), contextOf(decision)].filter(Boolean).join("\n\n"));
  }
  const preserved = isDenied ? null : preservedRules(outcome, call);
  if (preserved !== null) return preserved;
  const specific = specificOutput(event, outcome, call, isDenied);
  return jsonAnswer(
    given({
      ...stopFields(event, decision.stop),
      ...(isDenied && event.denyForm === "block" ? { decision: "block", reason: reasonOf(decision) } : {}),
      hookSpecificOutput:
        Object.keys(specific).length === 0 ? undefined : { hookEventName: call.nativeEvent, ...specific },
    }),
  );
}

function stopFields(event: ClaudeEvent, stop: string | null): Json {
  const isSaidHere = stop !== null && event.takesStop && event.denyForm !== "behavior";
  return isSaidHere ? { continue: false, stopReason: stop } : {};
}

function specificOutput(event: ClaudeEvent, outcome: Outcome, call: DecodedCall, isDenied: boolean): Json {
  const { decision } = outcome;
  const input = isDenied ? undefined : changed(event, "tool_input", outcome, call);
  const additionalContext = event.takesContext ? contextOf(decision) : undefined;
  if (event.denyForm === "behavior") {
    return given({ decision: behavior(event, outcome, input) });
  }
  return given({
    ...(event.denyForm === "permission" ? permission(event, outcome) : {}),
    // Replaces all arguments, and grants nothing by itself.
    updatedInput: input,
    // Has to fit the tool's own output, which is why it is the whole of it.
    updatedToolOutput: changed(event, "tool_output", outcome, call),
    additionalContext,
  });
}

function permission(event: ClaudeEvent, { decision }: Outcome): Json {
  const { verdict, reason } = decision;
  if (verdict === "none" || !event.verdicts.includes(verdict)) return {};
  const why = verdict === "deny" ? reasonOf(decision) : (reason ?? undefined);
  return { permissionDecision: verdict, permissionDecisionReason: why };
}

function behavior(event: ClaudeEvent, { decision }: Outcome, updatedInput: unknown): Json | undefined {
  if (decision.verdict === "allow") return given({ behavior: "allow", updatedInput });
  if (decision.verdict !== "deny") return undefined;
  const interrupt = event.takesStop && decision.stop !== null ? true : undefined;
  return given({ behavior: "deny", message: reasonOf(decision), interrupt });
}

function changed(event: ClaudeEvent, field: string, outcome: Outcome, call: DecodedCall): unknown {
  const data = outcome.data as Readonly<Record<string, unknown>>;
  const isTaken = event.rewrites.includes(field) && isChanged(call.data, data, field);
  return isTaken ? nativeValue(data[field]) : undefined;
}

/** Plain text at PreCompact becomes instructions for the summary. It must not look like JSON. */
function preservedRules(outcome: Outcome, call: DecodedCall): NativeAnswer | null {
  if (outcome.event !== "compaction.before") return null;
  const data = outcome.data as { readonly preserve?: readonly string[] };
  if (data.preserve === undefined || data.preserve.length === 0) return null;
  if (!isChanged(call.data, data, "preserve")) return null;
  const rules = data.preserve.map((rule) => `- ${rule}\n`).join("");
  return { stdout: `Keep in the summary:\n${rules}`, stderr: "", exitCode: 0 };
}
