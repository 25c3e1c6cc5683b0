import type { RunEvent } from "../record/port/run-event.ts";
import type { Client } from "./client.ts";

export interface ToolCall {
  readonly tool: string;
  /** `Bash: git push -f`. */
  readonly shown: string;
}

/** What says most of a call, where its tool has it. */
const telling = ["command", "cmd", "file_path", "path", "url", "pattern", "query", "prompt"];

/** Which tool a row is about and what it was to do; null where it is about none, or its payload has expired. */
export async function toolCallOf(client: Client, { id, kind, event }: RunEvent): Promise<ToolCall | null> {
  if (kind !== "emit" || !event.startsWith("tool.")) return null;
  const { data_before } = await client.call("showEvent", { params: { id } });
  const { tool_name: tool, tool_input: input } = (data_before ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof tool !== "string") return null;
  const fields =
    typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const key = telling.find((name) => typeof fields[name] === "string");
  const what = key === undefined ? JSON.stringify(input ?? {}) : String(fields[key]);
  return { tool, shown: `${tool}: ${what}` };
}
