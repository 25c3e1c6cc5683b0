import type { HandlerCall } from "../../ports/handler.ts";
import type { CommandSpec } from "./command-handler.ts";

/**
 * What the program reads: our envelope, or in a Claude-shaped file the object Claude Code itself would send, so that
 * a script written for it runs unchanged.
 */
export function stdinFor(
  spec: CommandSpec,
  data: Readonly<Record<string, unknown>>,
  call: HandlerCall,
  cwd: string,
): string {
  return JSON.stringify(spec.isClaudeShaped ? claudeInput(spec, data, call, cwd) : call.envelope(data));
}

function claudeInput(
  spec: CommandSpec,
  data: Readonly<Record<string, unknown>>,
  call: HandlerCall,
  cwd: string,
): Record<string, unknown> {
  const { tool_output, agent_name, ...rest } = data;
  return {
    session_id: call.origin.session ?? call.id,
    transcript_path: "",
    cwd,
    hook_event_name: call.origin.native_event ?? claudeNames[call.event] ?? spec.nativeEvent,
    ...rest,
    ...(tool_output === undefined ? {} : { tool_response: tool_output }),
    ...(agent_name === undefined ? {} : { agent_type: agent_name }),
  };
}

/** Claude Code's own names: files may use another dialect's, but scripts compare with these. */
const claudeNames: Readonly<Record<string, string>> = {
  "session.start": "SessionStart",
  "session.end": "SessionEnd",
  "prompt.submit": "UserPromptSubmit",
  "turn.end": "Stop",
  "tool.before": "PreToolUse",
  "tool.after": "PostToolUse",
  "tool.failed": "PostToolUseFailure",
  "compaction.before": "PreCompact",
  "compaction.after": "PostCompact",
  "subagent.start": "SubagentStart",
  "subagent.stop": "SubagentStop",
  "permission.request": "PermissionRequest",
  notification: "Notification",
};
