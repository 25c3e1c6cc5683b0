import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

const universal = ["continue", "stopReason", "suppressOutput", "systemMessage"];
const blocking = [...universal, "decision", "reason"];

/** The keys of each event's answer, from the JSON Schemas inside the program of 0.166.0; all forbid any other. */
const keys: Readonly<
  Record<string, { readonly root: readonly string[]; readonly specific: readonly string[] }>
> = {
  PreToolUse: {
    root: [...blocking, "hookSpecificOutput"],
    specific: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  },
  PostToolUse: {
    root: [...blocking, "hookSpecificOutput"],
    specific: ["additionalContext", "updatedMCPToolOutput"],
  },
  PermissionRequest: { root: [...universal, "hookSpecificOutput"], specific: ["decision"] },
  UserPromptSubmit: { root: [...blocking, "hookSpecificOutput"], specific: ["additionalContext"] },
  SessionStart: { root: [...universal, "hookSpecificOutput"], specific: ["additionalContext"] },
  SubagentStart: { root: [...universal, "hookSpecificOutput"], specific: ["additionalContext"] },
  Stop: { root: blocking, specific: [] },
  SubagentStop: { root: blocking, specific: [] },
  PreCompact: { root: universal, specific: [] },
  PostCompact: { root: universal, specific: [] },
  Interrupt: { root: ["systemMessage"], specific: [] },
  SessionEnd: { root: [], specific: [] },
};

/** What Codex 0.166.0 makes of an answer; throws where it would count the hook as failed and go on. */
export function readCodex(native: string, { stdout, stderr, exitCode }: NativeAnswer): Told {
  if (exitCode === 2) return readExit2(native, stderr);
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  if (stdout.trim() === "") return asking(native, nothingTold);
  const answer = parse(stdout);
  const { root, specific } = keys[native] ?? { root: [], specific: [] };
  const output = objectOf(answer.hookSpecificOutput);
  onlyKeys(answer, root);
  if (answer.hookSpecificOutput !== undefined) {
    onlyKeys(output, [...specific, "hookEventName"]);
    if (output.hookEventName !== native) throw new Error(`hookEventName ${String(output.hookEventName)}`);
  }
  return readers[native]?.(answer, output) ?? nothingTold;
}

const readers: Readonly<Record<string, (answer: Json, output: Json) => Told>> = {
  PreToolUse: (answer, output) => {
    if (answer.continue === false || answer.stopReason !== undefined) throw new Error("unsupported stop");
    const { permissionDecision: decision, permissionDecisionReason, updatedInput } = output;
    if (decision === "ask" || decision === "defer") throw new Error(`unsupported ${decision}`);
    if (decision === "allow" && updatedInput === undefined) throw new Error("unsupported allow");
    if (decision !== "allow" && updatedInput !== undefined) throw new Error("updatedInput without allow");
    const isDenied = decision === "deny";
    const reason = isDenied ? needed(permissionDecisionReason) : "";
    // There is no such thing as an allowance in what PreToolUse comes to.
    return {
      ...nothingTold,
      isDenied,
      reason,
      context: textOf(output.additionalContext),
      rewritten: updatedInput,
    };
  },
  PermissionRequest: (answer, output) => {
    if (answer.continue === false || answer.stopReason !== undefined) throw new Error("unsupported stop");
    const decision = objectOf(output.decision);
    onlyKeys(decision, ["behavior", "message"]);
    const isDenied = decision.behavior === "deny";
    return {
      ...nothingTold,
      isDenied,
      isAllowed: decision.behavior === "allow",
      reason: textOf(decision.message),
    };
  },
  // The model is called again whatever `continue` says.
  PostToolUse: (answer, output) => ({ ...blocked(answer, output), isStopped: false }),
  UserPromptSubmit: blocked,
  SessionStart: (answer, output) => ended(answer, output),
  SubagentStart: (answer, output) => ({ ...ended(answer, output), isStopped: false, isDenied: false }),
  Stop: blocked,
  SubagentStop: blocked,
  PreCompact: ended,
  // What has happened cannot be hindered.
  PostCompact: (answer, output) => ({ ...ended(answer, output), isDenied: false }),
};

function blocked(answer: Json, output: Json): Told {
  const isDenied = answer.decision === "block";
  if (!isDenied && answer.reason !== undefined) throw new Error("reason without decision");
  const reason = isDenied ? needed(answer.reason) : "";
  const context = textOf(output.additionalContext);
  return { ...nothingTold, isDenied, isStopped: answer.continue === false, reason, context };
}

/** Where `continue: false` is all there is. It also hinders what was about to happen. */
function ended(answer: Json, output: Json): Told {
  const isStopped = answer.continue === false;
  const reason = textOf(answer.stopReason);
  return {
    ...nothingTold,
    isStopped,
    isDenied: isStopped,
    reason,
    context: textOf(output.additionalContext),
  };
}

function readExit2(native: string, stderr: string): Told {
  const reason = needed(Buffer.from(stderr).toString());
  const isHeard = [
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
  ];
  if (!isHeard.includes(native)) throw new Error(`exit code 2 means nothing at ${native}`);
  return { ...nothingTold, isDenied: true, reason };
}

/** Without a decision the dialog comes up: the person is asked. */
function asking(native: string, told: Told): Told {
  return native === "PermissionRequest" ? { ...told, isAsked: true } : told;
}

/** What its parser refuses and JavaScript's does not: half of a surrogate pair, and more than 127 levels. */
function parse(text: string): Json {
  const answer: unknown = JSON.parse(text, (_, value) => {
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new Error("half a character");
    return value;
  });
  const depths = [...text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")].reduce(
    ([depth, deepest], mark) => {
      const now = depth + Number("[{".includes(mark)) - Number("]}".includes(mark));
      return [now, Math.max(now, deepest)] as const;
    },
    [0, 0] as readonly [number, number],
  );
  if (depths[1] > 127) throw new Error("recursion limit exceeded");
  return objectOf(answer);
}

function onlyKeys(object: Json, allowed: readonly string[]): void {
  const unknown = Object.keys(object).filter((key) => !allowed.includes(key));
  if (unknown.length > 0) throw new Error(`unknown field ${unknown.join(", ")}`);
}

function needed(reason: unknown): string {
  if (typeof reason !== "string" || reason.trim() === "") throw new Error("a denial without a reason");
  return reason;
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
