import { type EventRow, rowsOf } from "../event-rows.ts";

/**
 * How a denial is said: as a permission, as the behaviour of a permission dialog, as `decision: "block"`, or by exit
 * code 2, where no form in JSON is known.
 */
export type DenyForm = "permission" | "behavior" | "block" | "exit";

export type ClaudeEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(600);

/**
 * What Claude Code 2.1.326 can be told. WorktreeCreate is missing on purpose (see the quirk of its name); `defer` too,
 * because it is ignored outside of `-p` and where the model asked for more than one call.
 */
export const claudeEvents: readonly ClaudeEvent[] = [
  row("PreToolUse", {
    event: "tool.before",
    verdicts: ["allow", "ask", "deny"],
    deny: "prevents",
    denyForm: "permission",
    rewrites: ["tool_input"],
    takesContext: true,
    takesStop: true,
    actsBeforeStop: true,
  }),
  row("PostToolUse", {
    event: "tool.after",
    verdicts: ["deny"],
    deny: "feedback",
    denyForm: "block",
    rewrites: ["tool_output"],
    takesContext: true,
    takesStop: true,
  }),
  row("PostToolUseFailure", {
    event: "tool.failed",
    verdicts: ["deny"],
    deny: "feedback",
    denyForm: "exit",
    takesContext: true,
  }),
  row("PermissionRequest", {
    event: "permission.request",
    // To ask is what it is about to do: that takes no answer.
    verdicts: ["allow", "ask", "deny"],
    deny: "prevents",
    denyForm: "behavior",
    rewrites: ["tool_input"],
    rewriteNeedsAllow: true,
    // As `interrupt` of a denial.
    takesStop: true,
    actsBeforeStop: true,
  }),
  row("UserPromptSubmit", {
    event: "prompt.submit",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    takesContext: true,
    takesStop: true,
    timeoutS: 30,
  }),
  row("SessionStart", { event: "session.start", takesContext: true }),
  // All hooks of it share one budget, raised to the largest timeout that is asked for.
  row("SessionEnd", { event: "session.end", timeoutS: 1.5, maxTimeoutS: 60 }),
  // Context at the two stops would keep the agent working: that is left to a denial.
  row("Stop", {
    event: "turn.end",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "block",
    takesStop: true,
  }),
  row("SubagentStop", {
    event: "subagent.stop",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "block",
    takesStop: true,
  }),
  row("SubagentStart", { event: "subagent.start", takesContext: true }),
  row("PreCompact", {
    event: "compaction.before",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    rewrites: ["preserve"],
  }),
  row("PostCompact", { event: "compaction.after" }),
  row("Notification", { event: "notification", takesContext: true }),
  // Of its own list of tasks. A task that is denied is not on it, or stays as it was.
  row("TaskCreated", { event: "task.created", verdicts: ["deny"], deny: "prevents", denyForm: "exit" }),
  row("TaskCompleted", { event: "task.completed", verdicts: ["deny"], deny: "prevents", denyForm: "exit" }),

  row("PostToolBatch", {
    verdicts: ["deny"],
    deny: "ends_run",
    denyForm: "block",
    takesContext: true,
    takesStop: true,
  }),
  row("UserPromptExpansion", {
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    takesContext: true,
  }),
  row("PreModelSwitch", {
    verdicts: ["allow", "deny"],
    deny: "prevents",
    denyForm: "permission",
    timeoutS: 30,
  }),
  row("ConfigChange", { verdicts: ["deny"], deny: "prevents", denyForm: "block" }),
  row("TeammateIdle", { verdicts: ["deny"], deny: "keeps_working", denyForm: "exit" }),
  row("Elicitation", { verdicts: ["deny"], deny: "prevents", denyForm: "exit" }),
  row("ElicitationResult", { verdicts: ["deny"], deny: "prevents", denyForm: "exit" }),
  row("PostModelSwitch", { takesContext: true }),
  row("Setup", { takesContext: true }),
  row("StopFailure", {}),
  row("PermissionDenied", {}),
  row("WorktreeRemove", {}),
  row("InstructionsLoaded", {}),
  row("CwdChanged", {}),
  row("FileChanged", {}),
  row("DirectoryAdded", {}),
  row("MessageDisplay", {}),
];

/** Those a matcher is compared with the tool's name at. */
export const claudeToolEvents: readonly string[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "PermissionDenied",
];
