import { type FieldNames, fieldNames } from "../fields.ts";

const same = fieldNames({});
const command = { command: "tool_input.command" };
const file = { file_path: "tool_input.file_path" };
const subagent = fieldNames({
  subagent_id: "agent_id",
  subagent_type: "agent_name",
  task: "initial_message",
});

/** An event of one tool says what it is called with in fields of its own. */
const ofTool = (tool_name: string, names: Readonly<Record<string, string>>) =>
  fieldNames(names, "hook_event_name", { tool_name });

const byNative: Readonly<Record<string, FieldNames>> = {
  postToolUse: fieldNames({ duration: "duration_ms" }),
  postToolUseFailure: fieldNames({ error_message: "error", duration: "duration_ms" }),
  beforeShellExecution: ofTool("Shell", command),
  afterShellExecution: ofTool("Shell", { ...command, output: "tool_output", duration: "duration_ms" }),
  afterMCPExecution: fieldNames({ result_json: "tool_output", duration: "duration_ms" }),
  beforeReadFile: ofTool("Read", file),
  afterFileEdit: ofTool("Write", { ...file, edits: "tool_output" }),
  beforeTabFileRead: ofTool("TabRead", file),
  afterTabFileEdit: ofTool("TabWrite", { ...file, edits: "tool_output" }),
  afterAgentResponse: fieldNames({ text: "response" }),
  preCompact: fieldNames({ context_tokens: "token_count" }),
  subagentStart: subagent,
  subagentStop: subagent,
};

export function cursorFields(native: string): FieldNames {
  return (Object.hasOwn(byNative, native) ? byNative[native] : undefined) ?? same;
}
