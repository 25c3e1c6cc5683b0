import { type EventRow, rowsOf } from "../event-rows.ts";

/** How a denial is said: as a permission, as the behaviour of a permission dialog, as `decision: "block"`, or as context. */
export type DenyForm = "permission" | "behavior" | "block" | "context";

export type CopilotEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(30);

/** One event under both of its names: which of them its key is written with decides how the payload is written. */
function both(camelCase: string, pascalCase: string, said: Partial<CopilotEvent>): readonly CopilotEvent[] {
  return [row(camelCase, said), row(pascalCase, { ...said, installed: "never" })];
}

/** What Copilot CLI 1.0.102 can be told. There is no word for the end of a run. */
export const copilotEvents: readonly CopilotEvent[] = [
  ...both("preToolUse", "PreToolUse", {
    event: "tool.before",
    verdicts: ["allow", "ask", "deny"],
    deny: "prevents",
    denyForm: "permission",
    rewrites: ["tool_input"],
    takesContext: true,
  }),
  ...both("postToolUse", "PostToolUse", {
    event: "tool.after",
    verdicts: ["deny"],
    // The reason takes the place of the tool's result.
    deny: "feedback",
    denyForm: "block",
    rewrites: ["tool_output"],
    takesContext: true,
  }),
  ...both("postToolUseFailure", "PostToolUseFailure", {
    event: "tool.failed",
    verdicts: ["deny"],
    deny: "feedback",
    denyForm: "context",
    takesContext: true,
  }),
  ...both("permissionRequest", "PermissionRequest", {
    event: "permission.request",
    // To ask is what it is about to do: that takes no answer.
    verdicts: ["allow", "ask", "deny"],
    deny: "prevents",
    denyForm: "behavior",
  }),
  ...both("userPromptSubmitted", "UserPromptSubmit", {
    event: "prompt.submit",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    rewrites: ["prompt"],
    takesContext: true,
  }),
  ...both("agentStop", "Stop", {
    event: "turn.end",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "block",
  }),
  ...both("subagentStop", "SubagentStop", {
    event: "subagent.stop",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "block",
  }),
  ...both("subagentStart", "SubagentStart", { event: "subagent.start", takesContext: true }),
  ...both("sessionStart", "SessionStart", { event: "session.start", takesContext: true }),
  ...both("sessionEnd", "SessionEnd", { event: "session.end" }),
  ...both("preCompact", "PreCompact", { event: "compaction.before" }),
  ...both("notification", "Notification", { event: "notification" }),

  row("userPromptTransformed", {}),
  row("preMcpToolCall", {}),
  row("errorOccurred", {}),
];
