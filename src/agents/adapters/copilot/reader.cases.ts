import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

/** What each event acts on, of the keys we use; 1.0.102. */
const keys: Readonly<Record<string, readonly string[]>> = {
  "tool.before": ["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext"],
  "tool.after": ["decision", "reason", "modifiedResult", "additionalContext"],
  "tool.failed": ["additionalContext"],
  "permission.request": ["behavior", "message"],
  "prompt.submit": ["decision", "reason", "modifiedPrompt", "additionalContext"],
  "turn.end": ["decision", "reason"],
  "subagent.stop": ["decision", "reason"],
  "subagent.start": ["additionalContext"],
  "session.start": ["additionalContext"],
};

/** What Copilot CLI 1.0.102 makes of an answer; throws on one that has no effect, or another than it says. */
export function readCopilot(
  _: string,
  { stdout, stderr, exitCode }: NativeAnswer,
  { event }: DecodedCall,
): Told {
  if (exitCode !== 0) {
    if (event !== "tool.before") throw new Error(`exit code ${exitCode} at ${event}`);
    return { ...nothingTold, isDenied: true, reason: `hook exited with code ${exitCode}` };
  }
  if (stderr !== "") throw new Error("nobody reads stderr");
  if (stdout.trim() === "") return { ...nothingTold, isAsked: event === "permission.request" };
  const answer = JSON.parse(stdout) as Json;
  const unknown = Object.keys(answer).filter((key) => !(keys[event] ?? []).includes(key));
  if (unknown.length > 0) throw new Error(`no effect: ${unknown.join(", ")}`);
  const said = answer.permissionDecision ?? answer.behavior ?? answer.decision;
  if (answer.modifiedPrompt === "") throw new Error("an empty prompt");
  const context = textOf(answer.additionalContext);
  const isObjection = event === "tool.failed" && context.startsWith("A hook objects: ");
  return {
    ...nothingTold,
    isDenied: said === "deny" || said === "block" || isObjection,
    isAllowed: said === "allow",
    isAsked: said === "ask" || (event === "permission.request" && said === undefined),
    reason: isObjection
      ? context
      : textOf(answer.permissionDecisionReason ?? answer.message ?? answer.reason),
    context,
    rewritten: answer.modifiedArgs ?? answer.modifiedResult ?? answer.modifiedPrompt,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
