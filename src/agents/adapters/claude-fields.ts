import type { EventName } from "../../engine/events/names.ts";
import { type FieldNames, fieldNames } from "./fields.ts";

const same = fieldNames({});
const subagent = fieldNames({ agent_type: "agent_name" });
const task = fieldNames({ task_subject: "title", task_description: "goal" });

/** Claude Code's names of fields, which others write too. */
const byEvent: Readonly<Partial<Record<EventName, FieldNames>>> = {
  "tool.after": fieldNames({ tool_response: "tool_output" }),
  "subagent.start": subagent,
  "subagent.stop": subagent,
  "task.created": task,
  "task.completed": task,
};

export function claudeFields(event: EventName | undefined): FieldNames {
  return (event === undefined ? undefined : byEvent[event]) ?? same;
}
