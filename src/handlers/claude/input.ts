import type { HandlerCall } from "../../engine/hooks/handler.ts";

/**
 * The object Claude Code itself would send, so that what was written for it runs unchanged. `nativeEvent` is the event
 * as the file writes it.
 */
export function claudeInput(
  nativeEvent: string,
  data: Readonly<Record<string, unknown>>,
  call: HandlerCall,
  cwd: string,
): Record<string, unknown> {
  const { tool_output, agent_name, ...others } = data;
  const rest = call.event.startsWith("task.") ? withTaskNames(others) : others;
  return {
    session_id: call.origin.session ?? call.id,
    transcript_path: "",
    cwd,
    hook_event_name: call.origin.native_event ?? claudeNames[call.event] ?? nativeEvent,
    ...rest,
    ...(tool_output === undefined ? {} : { tool_response: tool_output }),
    ...(agent_name === undefined ? {} : { agent_type: agent_name }),
  };
}

function withTaskNames({ title, goal, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...rest,
    ...(title === undefined ? {} : { task_subject: title }),
    ...(goal === undefined ? {} : { task_description: goal }),
  };
}

/** Where the event comes from. */
export function folderOf(data: Readonly<Record<string, unknown>>, call: HandlerCall): string {
  return call.origin.cwd ?? (typeof data.cwd === "string" ? data.cwd : process.cwd());
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
  "task.created": "TaskCreated",
  "task.completed": "TaskCompleted",
};
