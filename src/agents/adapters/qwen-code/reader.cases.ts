import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

const stops = ["continue", "stopReason"];
const blocks = ["decision", "reason"];
const context = ["additionalContext"];

/** What each event acts on, of the keys we use; 0.24.4. */
const events: Readonly<
  Record<string, { readonly root: readonly string[]; readonly specific: readonly string[] }>
> = {
  PreToolUse: { root: [...stops, ...blocks], specific: ["permissionDecision", "permissionDecisionReason"] },
  PostToolUse: { root: stops, specific: context },
  PostToolUseFailure: { root: [], specific: context },
  PermissionRequest: { root: [], specific: ["decision"] },
  UserPromptSubmit: { root: [...stops, ...blocks], specific: context },
  SessionStart: { root: [], specific: context },
  SubagentStart: { root: [], specific: context },
  // `continue: false` would do the opposite of what it says.
  Stop: { root: blocks, specific: [] },
  SubagentStop: { root: blocks, specific: [] },
  PreCompact: { root: [], specific: context },
};

/** What Qwen Code 0.24.4 makes of an answer; throws on one that has no effect, or another than it says. */
export function readQwen(native: string, { stdout, stderr, exitCode }: NativeAnswer): Told {
  const answer = exitCode === 2 ? parseExit2(stderr.trim()) : parse(stdout.trim());
  if (answer === null) return { ...nothingTold, isAsked: native === "PermissionRequest" };
  const { root, specific } = events[native] ?? { root: [], specific: [] };
  const output = objectOf(answer.hookSpecificOutput);
  onlyKeys(answer, [...root, "hookSpecificOutput"]);
  if (answer.hookSpecificOutput !== undefined) onlyKeys(output, [...specific, "hookEventName"]);
  return readers[native]?.(answer, output) ?? { ...nothingTold, context: textOf(output.additionalContext) };
}

const readers: Readonly<Record<string, (answer: Json, output: Json) => Told>> = {
  PreToolUse: (answer, output) => {
    const said = output.permissionDecision ?? (isBlock(answer) ? "deny" : undefined);
    if (said === "allow") throw new Error("an allow that grants nothing");
    if (said !== undefined && textOf(output.permissionDecisionReason ?? answer.reason) === "")
      throw new Error("a decision needs a reason");
    const isDenied = said === "deny" || answer.continue === false;
    const reason = textOf(output.permissionDecisionReason ?? answer.reason ?? answer.stopReason);
    return { ...nothingTold, isDenied, isAsked: said === "ask" && !isDenied, reason };
  },
  PermissionRequest: (_, output) => {
    const { behavior, message } = objectOf(output.decision);
    const isAsked = behavior === undefined;
    return {
      ...nothingTold,
      isDenied: behavior === "deny",
      isAllowed: behavior === "allow",
      isAsked,
      reason: textOf(message),
    };
  },
  // The model is called again: nothing ends here.
  PostToolUse: (answer, output) => ({
    ...nothingTold,
    isDenied: answer.continue === false,
    reason: textOf(answer.stopReason),
    context: textOf(output.additionalContext),
  }),
  PostToolUseFailure: (_, output) => {
    const text = textOf(output.additionalContext);
    return { ...nothingTold, isDenied: text.startsWith("A hook objects: "), reason: text, context: text };
  },
  UserPromptSubmit: (answer, output) => ({
    ...nothingTold,
    isDenied: isBlock(answer),
    isStopped: answer.continue === false,
    reason: textOf(answer.stopReason) || textOf(answer.reason),
    context: textOf(output.additionalContext),
  }),
  Stop: (answer) => ({ ...nothingTold, isDenied: isBlock(answer), reason: textOf(answer.reason) }),
  SubagentStop: (answer) => ({ ...nothingTold, isDenied: isBlock(answer), reason: textOf(answer.reason) }),
  PreCompact: (_, output) => ({ ...nothingTold, rewritten: output.additionalContext }),
};

function isBlock({ decision }: Json): boolean {
  return decision === "block" || decision === "deny";
}

function parse(text: string): Json | null {
  if (text === "") return null;
  return objectOf(JSON.parse(text));
}

/** An object is the answer; any other text is the reason of a denial. */
function parseExit2(text: string): Json {
  if (text === "") throw new Error("exit code 2 without a reason");
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { decision: "deny", reason: text };
}

function onlyKeys(object: Json, allowed: readonly string[]): void {
  const unknown = Object.keys(object).filter((key) => !allowed.includes(key));
  if (unknown.length > 0) throw new Error(`no effect: ${unknown.join(", ")}`);
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
