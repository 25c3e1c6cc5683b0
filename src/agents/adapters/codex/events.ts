import { type EventRow, rowsOf } from "../event-rows.ts";

/** How a denial is said; `stop`: by `continue: false`, where that is the only thing that hinders anything. */
export type DenyForm = "permission" | "behavior" | "block" | "stop";

export type CodexEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(600);

/** What Codex 0.166.0 can be told. One key or value beyond it, and the whole answer is thrown away: the tool runs. */
export const codexEvents: readonly CodexEvent[] = [
  row("PreToolUse", {
    event: "tool.before",
    // An allow without a rewrite is an error to it; with one it is the form of the rewrite and grants nothing.
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "permission",
    rewrites: ["tool_input"],
    takesContext: true,
  }),
  row("PostToolUse", {
    event: "tool.after",
    verdicts: ["deny"],
    // The reason even takes the place of the tool's result.
    deny: "feedback",
    denyForm: "block",
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
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "block",
    takesContext: true,
  }),
  row("SessionStart", {
    event: "session.start",
    verdicts: ["deny"],
    deny: "ends_run",
    denyForm: "stop",
    takesContext: true,
    takesStop: true,
  }),
  row("SessionEnd", { event: "session.end", timeoutS: 1, maxTimeoutS: 3 }),
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
    // Without compaction the turn ends too.
    deny: "ends_run",
    denyForm: "stop",
    takesStop: true,
  }),
  row("PostCompact", { event: "compaction.after", takesStop: true }),
  row("Interrupt", { timeoutS: 1, maxTimeoutS: 3 }),
];

/** Those a matcher is compared with the tool's name at. */
export const codexToolEvents: readonly string[] = ["PreToolUse", "PostToolUse", "PermissionRequest"];
