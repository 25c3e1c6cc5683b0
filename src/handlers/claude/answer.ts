import type { EventName } from "../../engine/events/names.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Claude Code's answer in our words. Unknown keys are left alone, as Claude Code does; a denial in any of the forms it
 * has ever had (`decision: "block"`, `permissionDecision: "deny"`, a permission request's `behavior`) is one here.
 */
export function readClaudeAnswer(event: EventName, answer: Json): Json {
  const specific = objectOf(answer.hookSpecificOutput);
  const decision = objectOf(specific.decision);
  const verdict =
    verdicts[String(specific.permissionDecision ?? decision.behavior ?? answer.decision ?? "")] ?? undefined;
  const reason = firstText(
    specific.permissionDecisionReason,
    decision.message,
    answer.reason,
    verdict === undefined ? undefined : answer.stopReason,
  );
  return {
    verdict,
    reason,
    rewrite: rewriteOf(event, specific, decision),
    context: firstText(specific.additionalContext),
    stop: answer.continue === false ? (firstText(answer.stopReason) ?? "the hook asked to stop") : undefined,
  };
}

const verdicts: Readonly<Record<string, "allow" | "deny" | "ask" | "defer">> = {
  allow: "allow",
  approve: "allow",
  deny: "deny",
  block: "deny",
  ask: "ask",
  defer: "defer",
};

function rewriteOf(event: EventName, specific: Json, decision: Json): Json | undefined {
  if (event === "tool.before" || event === "permission.request") {
    const tool_input = specific.updatedInput ?? decision.updatedInput;
    return tool_input === undefined ? undefined : { tool_input };
  }
  const tool_output = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  return event === "tool.after" && tool_output !== undefined ? { tool_output } : undefined;
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === "string" && value !== "") as string | undefined;
}
