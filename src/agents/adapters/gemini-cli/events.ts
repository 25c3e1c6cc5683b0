import { type EventRow, rowsOf } from "../event-rows.ts";
import { isObject } from "../paths.ts";

/** How a denial is said; `model`: so that no other hook's decision takes its place (see the quirk `last_decision_counts`). */
export type DenyForm = "decision" | "model";

export type GeminiEvent = EventRow<DenyForm>;

const row = rowsOf<DenyForm>(60);

/** What Gemini CLI 0.61.0 can be told. */
export const geminiEvents: readonly GeminiEvent[] = [
  row("BeforeTool", {
    event: "tool.before",
    // An allow would grant nothing, and an ask hangs where nobody can answer.
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "decision",
    rewrites: ["tool_input"],
    takesStop: true,
  }),
  row("AfterTool", {
    event: "tool.failed",
    when: ({ tool_response }) => isObject(tool_response) && hasMessage(tool_response.error),
    verdicts: ["deny"],
    deny: "feedback",
    denyForm: "decision",
    takesContext: true,
    takesStop: true,
  }),
  row("AfterTool", {
    event: "tool.after",
    verdicts: ["deny"],
    // The reason takes the place of the tool's result.
    deny: "feedback",
    denyForm: "decision",
    takesContext: true,
    takesStop: true,
  }),
  row("BeforeAgent", {
    event: "prompt.submit",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "decision",
    takesContext: true,
    takesStop: true,
  }),
  row("AfterAgent", {
    event: "turn.end",
    verdicts: ["deny"],
    deny: "keeps_working",
    denyForm: "decision",
    takesStop: true,
  }),
  row("BeforeModel", {
    event: "model.before",
    installed: "when_hooked",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "model",
    rewrites: ["messages"],
    takesStop: true,
  }),
  row("AfterModel", {
    event: "model.after",
    installed: "when_hooked",
    verdicts: ["deny"],
    deny: "prevents",
    denyForm: "model",
    takesStop: true,
  }),
  row("SessionStart", { event: "session.start", takesContext: true }),
  row("SessionEnd", { event: "session.end" }),
  row("PreCompress", { event: "compaction.before", when: ({ trigger }) => trigger === "manual" }),
  row("Notification", { event: "notification" }),
  row("PreCompress", {}),
  row("BeforeToolSelection", {}),
];

function hasMessage(error: unknown): boolean {
  return isObject(error) && typeof error.message === "string";
}
