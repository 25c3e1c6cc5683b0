import { isStricter, type Verdict } from "../../engine/events/decision.ts";
import type { EventName } from "../../engine/events/names.ts";
import { claudeVerdict, type Json, objectOf, ownWordsOf, takesInput, unreadParts } from "./answer-keys.ts";

/** Takes note, in words, of something in an answer that has no effect. */
export type Warn = (problem: string) => void;

/**
 * An answer of a hook from a file in Claude Code's shape, in our words. It may be in Claude Code's language, in which a
 * denial in any of the forms it has ever had (`decision: "block"`, `permissionDecision: "deny"`, a permission request's
 * `behavior`) is one; or in ours (`verdict`, `rewrite`, …, `carry_on`, `mutation`), because such files were written for
 * other hosts as well. Of two verdicts the stricter one counts.
 */
export function readClaudeAnswer(event: EventName, answer: Json, warn: Warn = () => undefined): Json {
  const theirs = readTheirs(event, answer);
  const unread = unreadParts(event, answer);
  const problem =
    unread.length === 0 ? undefined : `its answer has ${unread.join(", ")}, which has no effect`;
  if (problem !== undefined) warn(problem);
  const ours = ownWordsOf(answer);
  if (ours === null) {
    // A reason without a verdict decides nothing and stands in the record.
    return { ...theirs, reason: theirs.reason ?? (theirs.verdict === undefined ? problem : undefined) };
  }
  const said = Object.entries(theirs).filter(([, value]) => value !== undefined);
  const isTheirsStricter = isStricter(theirs.verdict ?? "none", verdictOf(ours));
  return { ...Object.fromEntries(said), ...ours, ...(isTheirsStricter && { verdict: theirs.verdict }) };
}

function verdictOf({ verdict, carry_on }: Json): Verdict {
  return carry_on === false ? "deny" : (claudeVerdict(verdict) ?? "none");
}

function readTheirs(event: EventName, answer: Json) {
  const specific = objectOf(answer.hookSpecificOutput);
  const decision = objectOf(specific.decision);
  const verdict = claudeVerdict(specific.permissionDecision ?? decision.behavior ?? answer.decision);
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

function rewriteOf(event: EventName, specific: Json, decision: Json): Json | undefined {
  if (takesInput(event)) {
    const tool_input = specific.updatedInput ?? decision.updatedInput;
    return tool_input === undefined ? undefined : { tool_input };
  }
  const tool_output = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  return event === "tool.after" && tool_output !== undefined ? { tool_output } : undefined;
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === "string" && value !== "") as string | undefined;
}
