import type { Outcome } from "../../../engine/events/outcome.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";
import { contextOf, given, jsonAnswer, reasonOf, silence } from "../answers.ts";
import { rowOfCall } from "../event-rows.ts";
import { nativeValue } from "../fields.ts";
import { isChanged } from "../rewrites.ts";
import { opencodeEvents } from "./events.ts";

/** What `native/opencode-plugin.js` does as it is told: both are ours. */
export function encodeOpencode(outcome: Outcome, call: DecodedCall): NativeAnswer {
  const event = rowOfCall(opencodeEvents, call);
  if (event === undefined) return silence;
  const { decision } = outcome;
  const data = outcome.data as Readonly<Record<string, unknown>>;
  const isDenied = decision.verdict === "deny" && event.deny !== "nothing";
  const isOver = isDenied && event.deny === "prevents";
  const changed = (field: string): unknown =>
    !isOver && event.rewrites.includes(field) && isChanged(call.data, data, field)
      ? nativeValue(data[field])
      : undefined;
  const context = event.takesContext ? contextOf(decision) : undefined;
  // The error is all the model hears of a denial.
  const texts = isDenied ? [reasonOf(decision), context].filter((text) => text !== undefined) : [];
  return jsonAnswer(
    given({
      deny: isDenied ? texts.join("\n\n") : undefined,
      args: changed("tool_input"),
      output: changed("tool_output"),
      prompt: changed("prompt"),
      context: isDenied ? undefined : context,
      preserve: preserved(changed("preserve")),
    }),
  );
}

function preserved(rules: unknown): string | undefined {
  if (!Array.isArray(rules) || rules.length === 0) return undefined;
  return `Keep in the summary:\n${rules.map((rule) => `- ${rule}`).join("\n")}`;
}
