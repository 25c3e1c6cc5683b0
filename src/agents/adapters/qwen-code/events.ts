import { type EventRow, rowsOf } from "../event-rows.ts";

/**
 * How a denial is said: as a permission, as the behaviour of a permission dialog, as `decision: "block"`, by
 * `continue: false`, or as context, where nothing else of an answer is read.
 */
export type DenyForm = "permission" | "behavior" | "block" | "stop" | "context";

export type QwenEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(60);

/** What Qwen Code 0.24.4 can be told. */
export const qwenEvents: readonly QwenEvent[] = [
  row("PreToolUse", {
    event: "tool.before",
    // What a person had to allow they have allowed by now: an allow grants nothing.
    verdicts: ["ask", "deny"],
    deny: "prevents",
    denyForm: "permission",
  }),
  row("PostToolUse", {
    event: "tool.after",
    verdicts: ["deny"],
    // The reason takes the place of the tool's result.
    deny: "feedback",
    denyForm: "stop",
    takesContext: true,
  }),
  row("PostToolUseFailure", {
    event: "tool.failed",
    verdicts: ["deny"],
    deny: "feedback",
    denyForm: "context",
    takesContext: true,
  }),
  row("PermissionRequest", {
    event: "permission.request",
    // To ask is what it is about to do: that takes no answer.
    verdicts: ["allow", "ask", "deny"],
    deny: "prevents",
    denyForm: "behavior",
  }),
  row("UserPromptSubmit", {
    event: "prompt.submit",
    when: ({ prompt }) => prompt !== "",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    takesContext: true,
    takesStop: true,
  }),
  row("SessionStart", { event: "session.start", takesContext: true }),
  row("SessionEnd", { event: "session.end" }),
  // `continue: false` keeps the agent at work at both stops: there is no word for the end of the run.
  row("Stop", { event: "turn.end", verdicts: ["deny"], deny: "keeps_working", denyForm: "block" }),
  row("SubagentStop", {
    event: "subagent.stop",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "block",
  }),
  row("SubagentStart", { event: "subagent.start", takesContext: true }),
  row("PreCompact", { event: "compaction.before", rewrites: ["preserve"] }),
  row("PostCompact", { event: "compaction.after" }),
  row("Notification", { event: "notification" }),

  row("UserPromptSubmit", {}),
  row("PostToolBatch", {}),
  row("UserPromptExpansion", {}),
  row("PermissionDenied", {}),
  row("StopFailure", {}),
  row("SessionDelete", {}),
  row("MessageDisplay", {}),
  row("TodoCreated", {}),
  row("TodoCompleted", {}),
  row("InstructionsLoaded", {}),
];

/** Those a matcher is compared with the tool's name at. */
export const qwenToolEvents: readonly string[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
];
