import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

const root = ["continue", "stopReason", "decision", "reason", "hookSpecificOutput"];

/** What each event acts on, of the keys we use; 0.61.0. */
const events: Readonly<
  Record<string, { readonly root: readonly string[]; readonly specific: readonly string[] }>
> = {
  BeforeTool: { root, specific: ["tool_input"] },
  AfterTool: { root, specific: ["additionalContext"] },
  BeforeAgent: { root, specific: ["additionalContext"] },
  AfterAgent: { root, specific: [] },
  BeforeModel: { root, specific: ["llm_request"] },
  AfterModel: { root, specific: [] },
  SessionStart: { root: ["hookSpecificOutput"], specific: ["additionalContext"] },
};

/** What Gemini CLI 0.61.0 makes of an answer; throws on one that has no effect, or another than it says. */
export function readGemini(
  native: string,
  { stdout, stderr, exitCode }: NativeAnswer,
  call: DecodedCall,
): Told {
  const answer = parse(stdout.trim() || stderr.trim(), exitCode);
  if (answer === null) return nothingTold;
  const taken = events[native] ?? { root: [], specific: [] };
  onlyKeys(answer, taken.root);
  const output = objectOf(answer.hookSpecificOutput);
  if (answer.hookSpecificOutput !== undefined) onlyKeys(output, [...taken.specific, "hookEventName"]);
  const isDenied = answer.decision === "deny" || answer.decision === "block";
  if (answer.decision !== undefined && !isDenied) throw new Error(`decision ${String(answer.decision)}`);
  const isEnding = native === "BeforeModel" || native === "AfterModel";
  return {
    ...nothingTold,
    isDenied,
    // There a denial ends the turn too: that it says so twice changes nothing.
    isStopped: answer.continue === false && !(isEnding && isDenied && answer.stopReason === answer.reason),
    reason: textOf(answer.stopReason) || textOf(answer.reason),
    context: textOf(output.additionalContext),
    rewritten: rewrittenBy(output, call),
  };
}

/** `null`: nothing was said. Text that is no JSON counts by the exit code. */
function parse(text: string, exitCode: number): Json | null {
  if (text === "") return null;
  try {
    const parsed: unknown = JSON.parse(text);
    const value: unknown = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    if (typeof value === "object" && value !== null) return value as Json;
    throw new Error(`an answer that is nothing: ${text}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (exitCode < 2) throw new Error("plain text");
    return { decision: "deny", reason: text };
  }
}

/** Merged over what was there; messages by their place. */
function rewrittenBy(output: Json, { data }: DecodedCall): unknown {
  if (output.tool_input !== undefined) {
    if (typeof output.tool_input !== "object" || Array.isArray(output.tool_input)) return undefined;
    return { ...objectOf(data.tool_input), ...objectOf(output.tool_input) };
  }
  const { messages } = objectOf(output.llm_request);
  if (!Array.isArray(messages)) return undefined;
  const before = Array.isArray(data.messages) ? data.messages : [];
  return [...messages, ...before.slice(messages.length)];
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
