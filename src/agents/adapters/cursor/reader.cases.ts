import { nothingTold, type Told } from "../../port/adapter.cases.ts";
import type { DecodedCall, NativeAnswer } from "../../port/adapter.ts";

type Json = Readonly<Record<string, unknown>>;

const permission = ["permission", "user_message", "agent_message"];
const context = ["additional_context"];

/** What each event acts on, of the keys we use; SDK 1.0.32. */
const keys: Readonly<Record<string, readonly string[]>> = {
  preToolUse: [...permission, "updated_input", ...context],
  postToolUse: ["updated_mcp_tool_output", ...context],
  postToolUseFailure: context,
  beforeSubmitPrompt: ["continue", "user_message", ...context],
  sessionStart: ["continue", "user_message", ...context],
  subagentStart: [...permission, ...context],
  stop: ["followup_message"],
  subagentStop: ["followup_message"],
  beforeShellExecution: permission,
  beforeMCPExecution: permission,
  beforeReadFile: permission,
  beforeTabFileRead: permission,
};
const permissionEvents = Object.keys(keys).filter((native) => keys[native]?.includes("permission"));

/** Arguments each tool's own code takes over. */
const known: Readonly<Record<string, readonly string[]>> = {
  Shell: ["command", "cwd", "timeout"],
  Write: ["file_path"],
};

/** What Cursor makes of an answer, by its SDK 1.0.32; throws on one that has no effect, or another than it says. */
export function readCursor(
  native: string,
  { stdout, stderr, exitCode }: NativeAnswer,
  call: DecodedCall,
): Told {
  if (exitCode === 2) {
    if (!permissionEvents.includes(native)) throw new Error(`exit code 2 at ${native}`);
    return {
      ...nothingTold,
      isDenied: true,
      reason: stdout.trim() || `Hook blocked with message: ${stderr.trim()}`,
    };
  }
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
  if (stdout.trim() === "") throw new Error("blocked: returned no output");
  const answer = JSON.parse(stdout) as Json;
  const unknown = Object.keys(answer).filter((key) => !(keys[native] ?? []).includes(key));
  if (unknown.length > 0) throw new Error(`no effect: ${unknown.join(", ")}`);
  const asks = native === "beforeShellExecution" ? ["ask", "deny"] : ["deny"];
  if (answer.permission !== undefined && !asks.includes(String(answer.permission)))
    throw new Error("not acted on");
  const text = textOf(answer.additional_context);
  if (text.length > 10_000) throw new Error("blocked: too much context");
  const isObjection = text.startsWith("A hook objects: ");
  const isEnded = answer.continue === false;
  return {
    ...nothingTold,
    isDenied: answer.permission === "deny" || isEnded || isObjection || answer.followup_message !== undefined,
    isAsked: answer.permission === "ask",
    isStopped: isEnded && native === "sessionStart",
    reason: isObjection ? text : textOf(answer.user_message ?? answer.followup_message),
    context: text,
    rewritten:
      answer.updated_mcp_tool_output === undefined
        ? appliedInput(answer.updated_input, call)
        : answer.updated_mcp_tool_output,
  };
}

/** The tool's own code takes what it knows; a tool of an MCP server, all of it. */
function appliedInput(updated: unknown, { data }: DecodedCall): unknown {
  if (updated === undefined) return undefined;
  if (typeof updated !== "object" || updated === null || Array.isArray(updated))
    throw new Error("invalid response");
  const tool = String(data.tool_name);
  const entries = Object.entries(updated).filter(
    ([key]) => tool.startsWith("MCP:") || known[tool]?.includes(key) === true,
  );
  return { ...(data.tool_input as Json), ...Object.fromEntries(entries) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
