import type { EventName } from "../../../engine/events/names.ts";
import { eventVariable, type NativeCall } from "../../port/adapter.ts";
import { claudeFields } from "../claude-fields.ts";
import { type FieldNames, fieldNames } from "../fields.ts";

/** A key in camelCase gets a payload in camelCase. */
const camelCase = {
  sessionId: "session_id",
  transcriptPath: "transcript_path",
  agentId: "agent_id",
  agentType: "agent_type",
  parentAgentId: "parent_agent_id",
  toolName: "tool_name",
  toolArgs: "tool_input",
  toolResult: "tool_output",
  initialPrompt: "initial_prompt",
  customInstructions: "custom_instructions",
  stopReason: "stop_reason",
  agentName: "agent_name",
  response: "last_assistant_message",
};
const camelFields = fieldNames(camelCase, null);
const camelPermission = fieldNames(
  {
    ...camelCase,
    toolArgs: "tool_args",
    toolInput: "tool_input",
    permissionSuggestions: "permission_suggestions",
  },
  null,
);

const pascalAfter = fieldNames({
  "tool_result.result_type": "tool_output.resultType",
  "tool_result.text_result_for_llm": "tool_output.textResultForLlm",
  tool_result: "tool_output",
});
/** Both the name and the kind are sent. */
const pascalSubagent = fieldNames({});

export function copilotFields(native: string, event: EventName | undefined): FieldNames {
  if (!isPascalCase(native)) return event === "permission.request" ? camelPermission : camelFields;
  if (event === "tool.after") return pascalAfter;
  return event === "subagent.start" || event === "subagent.stop" ? pascalSubagent : claudeFields(event);
}

function isPascalCase(native: string): boolean {
  return /^[A-Z]/.test(native);
}

/** What the event is called: the payload says so in one spelling, our entry in the other; else its fields tell. */
export function nameOfEvent({ payload, env }: NativeCall): unknown {
  const isCamelCase = payload.sessionId !== undefined && payload.session_id === undefined;
  if (!isCamelCase && payload.hook_event_name !== undefined) return payload.hook_event_name;
  return env[eventVariable] ?? signs.find(([, fields]) => fields.every((field) => field in payload))?.[0];
}

/** Fields only one event has, the more telling ones first. */
const signs: readonly (readonly [string, readonly string[]])[] = [
  ["permissionRequest", ["hookName", "toolInput"]],
  ["postToolUse", ["toolName", "toolResult"]],
  ["postToolUseFailure", ["toolName", "error"]],
  ["preToolUse", ["toolName", "toolArgs"]],
  ["userPromptTransformed", ["transformedPrompt"]],
  ["userPromptSubmitted", ["prompt"]],
  ["notification", ["notification_type"]],
  ["sessionStart", ["initialPrompt"]],
  ["sessionStart", ["source"]],
  ["subagentStop", ["agentName", "stopReason"]],
  ["subagentStart", ["agentName"]],
  ["agentStop", ["stopReason"]],
  ["preCompact", ["trigger"]],
  ["sessionEnd", ["reason"]],
];
