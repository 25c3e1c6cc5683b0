import type { EventName } from "../../../engine/events/names.ts";
import { claudeFields } from "../claude-fields.ts";
import { type FieldNames, fieldNames } from "../fields.ts";

/** `request` keeps what is not the model and not the messages: two places for one text would leak what a hook masks in one. */
const request = { "llm_request.model": "model", "llm_request.messages": "messages", llm_request: "request" };

const byEvent: Readonly<Partial<Record<EventName, FieldNames>>> = {
  "model.before": fieldNames(request),
  "model.after": fieldNames({
    ...request,
    "llm_response.usageMetadata.promptTokenCount": "input_tokens",
    "llm_response.usageMetadata.candidatesTokenCount": "output_tokens",
    llm_response: "response",
  }),
  "tool.failed": fieldNames({ "tool_response.error.message": "error" }),
};

export function geminiFields(event: EventName | undefined): FieldNames {
  return (event === undefined ? undefined : byEvent[event]) ?? claudeFields(event);
}
