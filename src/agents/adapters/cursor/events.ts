import { type EventRow, rowsOf } from "../event-rows.ts";

/**
 * How a denial is said: as a permission, by `continue: false`, as a message that keeps the agent at work, or as context,
 * where nothing else of an answer is read.
 */
export type DenyForm = "permission" | "continue" | "followup" | "context";

export type CursorEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(60);

/** Longer, it is dropped, and with failClosed the tool does not run. */
const maxContextChars = 10_000;

const context = { takesContext: true, maxContextChars } as const;
const denied = { verdicts: ["deny"], deny: "prevents", denyForm: "permission" } as const;
const kept = { verdicts: ["deny"], deny: "keeps_working", denyForm: "followup" } as const;
const told = { verdicts: ["deny"], deny: "feedback", denyForm: "context" } as const;

/** What Cursor can be told, as its SDK 1.0.32 reads it. */
export const cursorEvents: readonly CursorEvent[] = [
  // An ask is not acted on here, and an allow grants nothing.
  row("preToolUse", { event: "tool.before", ...denied, rewrites: ["tool_input"], ...context }),
  row("postToolUse", { event: "tool.after", ...told, rewrites: ["tool_output"], ...context }),
  row("postToolUseFailure", { event: "tool.failed", ...told, ...context }),
  row("beforeSubmitPrompt", {
    event: "prompt.submit",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "continue",
    ...context,
  }),
  row("sessionStart", {
    event: "session.start",
    verdicts: ["deny"],
    deny: "ends_run",
    denyForm: "continue",
    takesStop: true,
    ...context,
  }),
  row("sessionEnd", { event: "session.end" }),
  row("stop", { event: "turn.end", ...kept }),
  row("subagentStart", { event: "subagent.start", ...denied, ...context }),
  row("subagentStop", { event: "subagent.stop", ...kept }),
  row("preCompact", { event: "compaction.before" }),

  // Each comes with a preToolUse or postToolUse of the same call.
  row("beforeShellExecution", {
    event: "tool.before",
    installed: "never",
    ...denied,
    verdicts: ["ask", "deny"],
  }),
  row("beforeMCPExecution", { event: "tool.before", installed: "never", ...denied }),
  row("beforeReadFile", { event: "tool.before", installed: "never", ...denied }),
  row("afterShellExecution", { event: "tool.after", installed: "never" }),
  row("afterMCPExecution", { event: "tool.after", installed: "never" }),
  row("afterFileEdit", { event: "tool.after", installed: "never" }),
  // Completions, not the agent: many a minute.
  row("beforeTabFileRead", { event: "tool.before", installed: "when_guarded", ...denied }),
  row("afterTabFileEdit", { event: "tool.after", installed: "when_guarded" }),
  row("afterAgentResponse", { event: "model.after", installed: "when_hooked" }),

  row("afterAgentThought", {}),
  row("workspaceOpen", {}),
];
