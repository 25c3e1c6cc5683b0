import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

const root = ["continue", "stopReason", "decision", "reason", "hookSpecificOutput"];
const context = ["additionalContext"];

/** What each event's `hookSpecificOutput` may say, of the keys we use; 2.1.325. */
const specific: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ["permissionDecision", "permissionDecisionReason", "updatedInput", ...context],
  PostToolUse: ["updatedToolOutput", ...context],
  PermissionRequest: ["decision"],
  PreModelSwitch: ["permissionDecision", "permissionDecisionReason"],
  PostToolUseFailure: context,
  PostToolBatch: context,
  UserPromptSubmit: context,
  UserPromptExpansion: context,
  SessionStart: context,
  SubagentStart: context,
  Setup: context,
  Notification: context,
  PostModelSwitch: context,
  Stop: context,
  SubagentStop: context,
};

const blocks = [
  "PostToolUse",
  "PostToolBatch",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "Stop",
  "SubagentStop",
  "PreCompact",
  "ConfigChange",
];
/** Where exit code 2 does more than show a line to the user. */
const exits = [
  ...blocks,
  "PreToolUse",
  "PermissionRequest",
  "PostToolUseFailure",
  "PreModelSwitch",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "Elicitation",
  "ElicitationResult",
];
const stops = ["PreToolUse", "PostToolUse", "PostToolBatch", "UserPromptSubmit", "Stop", "SubagentStop"];

/** What Claude Code 2.1.325 makes of an answer; throws on one that has no effect, or another than it says. */
export function readClaude(native: string, { stdout, stderr, exitCode }: NativeAnswer): Told {
  if (exitCode === 2) {
    if (stderr.trim() === "" || !exits.includes(native)) throw new Error(`exit code 2 at ${native}`);
    return { ...nothingTold, isDenied: true, reason: Buffer.from(stderr).toString() };
  }
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  if (stdout.trim() === "") return { ...nothingTold, isAsked: native === "PermissionRequest" };
  if (!stdout.startsWith("{")) return readText(native, stdout);
  return readJson(native, JSON.parse(stdout));
}

function readJson(native: string, answer: Json): Told {
  onlyKeys(answer, root);
  const output = objectOf(answer.hookSpecificOutput);
  if (answer.hookSpecificOutput !== undefined) {
    onlyKeys(output, [...(specific[native] ?? []), "hookEventName"]);
    if (output.hookEventName !== native) throw new Error(`hookEventName ${String(output.hookEventName)}`);
  }
  const isBlocked = answer.decision === "block";
  if (isBlocked && !blocks.includes(native)) throw new Error(`block at ${native}`);
  const isStopped = answer.continue === false;
  if (isStopped && !stops.includes(native)) throw new Error(`continue: false at ${native}`);
  const dialog = objectOf(output.decision);
  const permission = output.permissionDecision ?? dialog.behavior;
  if (permission === "defer") throw new Error("defer is ignored in a terminal");
  const additional = textOf(output.additionalContext);
  // Context keeps the agent working at the stops.
  const isKept = additional !== "" && (native === "Stop" || native === "SubagentStop");
  // A dialog takes new arguments with an allowance only, and ends the turn by `interrupt`.
  if (dialog.updatedInput !== undefined && permission !== "allow")
    throw new Error("updatedInput without allow");
  return {
    isDenied: isBlocked || permission === "deny" || isKept || (isStopped && native === "PostToolBatch"),
    isAllowed: permission === "allow",
    isAsked: permission === "ask",
    isStopped: isStopped || dialog.interrupt === true || (isBlocked && native === "PostToolBatch"),
    reason: textOf(output.permissionDecisionReason ?? dialog.message ?? answer.reason ?? answer.stopReason),
    context: additional,
    rewritten: output.updatedInput ?? dialog.updatedInput ?? output.updatedToolOutput,
  };
}

function readText(native: string, text: string): Told {
  if (native !== "PreCompact") throw new Error(`plain text at ${native}`);
  return { ...nothingTold, rewritten: text };
}

function onlyKeys(object: Json, allowed: readonly string[]): void {
  const unknown = Object.keys(object).filter((key) => !allowed.includes(key));
  if (unknown.length > 0) throw new Error(`unknown field ${unknown.join(", ")}`);
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
