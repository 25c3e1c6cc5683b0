import type { NativeCall } from "../port/adapter.ts";

/**
 * Who really calls; null when nothing tells. Copilot, Cursor and others also read Claude Code's settings, and most set
 * `CLAUDE_PROJECT_DIR`. Variables alone are weak too: an agent started in another agent's shell has both agents'. So the
 * order is from what cannot be inherited to what can.
 */
export function callerOf(call: NativeCall): string | null {
  return bySession(call) ?? byInput(call) ?? byVariables(call);
}

/** Set for the hook, and of this very session. Qwen Code comes first: it also sets what Gemini CLI sets. */
const sessionVariables = [
  ["claude-code", "CLAUDE_CODE_SESSION_ID"],
  ["qwen-code", "QWEN_CODE_SESSION_ID"],
  ["gemini-cli", "GEMINI_SESSION_ID"],
] as const;

function bySession({ payload, env }: NativeCall): string | null {
  const { session_id } = payload;
  if (typeof session_id !== "string" || session_id === "") return null;
  return sessionVariables.find(([, variable]) => env[variable] === session_id)?.[0] ?? null;
}

const geminiEvents = /^(?:Before|After)(?:Agent|Model|Tool)$|^BeforeToolSelection$|^PreCompress$/;
/** Codex records sessions in `…/sessions/2026/11/15/rollout-….jsonl`. */
const codexTranscript = /(?:^|[/\\])rollout-[^/\\]*\.jsonl$/;

function byInput({ payload }: NativeCall): string | null {
  const { hook_event_name, transcript_path, turn_id, model, timestamp } = payload;
  if (payload.host === "opencode") return "opencode";
  if (payload.cursor_version !== undefined) return "cursor";
  if (payload.sessionId !== undefined && payload.session_id === undefined) return "copilot";
  if (typeof hook_event_name === "string" && geminiEvents.test(hook_event_name)) return "gemini-cli";
  if (timestamp !== undefined) return null;
  if (typeof transcript_path === "string" && codexTranscript.test(transcript_path)) return "codex";
  return typeof turn_id === "string" && typeof model === "string" ? "codex" : null;
}

function byVariables({ payload, env }: NativeCall): string | null {
  if (payload.timestamp === undefined && isClaudeCode(env)) return "claude-code";
  if (env.COPILOT_CLI === "1" || env.COPILOT_HOOK_DIR !== undefined) return "copilot";
  if (env.CURSOR_VERSION !== undefined) return "cursor";
  if (env.QWEN_PROJECT_DIR !== undefined) return "qwen-code";
  return env.GEMINI_PROJECT_DIR === undefined ? null : "gemini-cli";
}

/** With the id of another session they were inherited. */
function isClaudeCode(env: NativeCall["env"]): boolean {
  if (env.CLAUDE_CODE_SESSION_ID !== undefined) return false;
  return env.CLAUDECODE === "1" || env.AI_AGENT?.startsWith("claude-code_") === true;
}
