import type { JsonSchemaValidatorResult, McpServer } from "@modelcontextprotocol/server";
import { invalidOption } from "../../base/invalid-option.ts";
import { SwarmError } from "../../base/errors.ts";
import { version } from "../../base/version.ts";
import type { RouteName } from "../../cli/client.ts";
import { routes } from "../../daemon/server/routes.ts";
import { answered, refusal, type ToolAnswer } from "./answers.ts";
import { inputSchema, outputSchema, shownBy, type Tool, tools } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a tool's arguments become: as over REST, what is in the path is not in the body. */
export interface RouteArguments {
  readonly params: Json;
  readonly body?: Json;
}

/** Has an operation done for the agent whose tools these are. */
export type CallRoute = (name: RouteName, given: RouteArguments, signal: AbortSignal) => Promise<unknown>;

/** Nobody writes as much with one call; what is longer belongs in a file of the work. */
export const maxArgumentChars = 262_144;

/** A message with all of a call's arguments, however each character is written. */
export const maxMessageBytes = 4 * 1024 * 1024;

const instructions =
  "Work on tasks of a swarm: take one (claim_task, or wait_for_task), do it, say how it goes (update_progress), end with " +
  "report_task, fail_task or ask_person. An error with SWARM_LEASE_STALE means that the task is not yours any more.";

/** The tools of an agent of the swarm. Arguments are checked by the operation they lead to, in its words. */
export async function openMcpServer(call: CallRoute): Promise<McpServer> {
  const sdk = await import("@modelcontextprotocol/server");
  const server = new sdk.McpServer({ name: "swarm", version: version() }, { instructions });
  const unchecked = {
    getValidator:
      <T>() =>
      (input: unknown): JsonSchemaValidatorResult<T> => ({
        valid: true,
        data: input as T & NonNullable<T>,
        errorMessage: undefined,
      }),
  };
  for (const tool of tools) {
    const { name, description, isReadOnly = false } = tool;
    server.registerTool(
      name,
      {
        description,
        inputSchema: sdk.fromJsonSchema<Json>(inputSchema(tool), unchecked),
        outputSchema: sdk.fromJsonSchema<Json>(outputSchema(tool), unchecked),
        annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
      },
      (given, { mcpReq }) => answerOf(tool, given, call, mcpReq.signal),
    );
  }
  return server;
}

async function answerOf(tool: Tool, given: Json, call: CallRoute, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    checkSize(tool, given);
    const { task_id: id, ...rest } = { ...tool.defaults, ...given };
    const operation = id === undefined ? (tool.withoutTask ?? tool.operation) : tool.operation;
    const { params, body } = routes[operation];
    const isInPath = Object.hasOwn(params, "id");
    for (const name of Object.keys(tool.input))
      if (isInPath && name === "task_id" && typeof id !== "string")
        throw invalidOption(tool.name, "task_id", "the id of a task", id);
    for (const name of Object.keys(given))
      if (!Object.hasOwn(tool.input, name))
        throw new SwarmError("SWARM_OPTION_UNKNOWN", {
          where: tool.name,
          option: name,
          suggestion: undefined,
        });
    const named = isInPath || id === undefined ? rest : { ...rest, task_id: id };
    const args = { params: isInPath ? { id } : {}, ...(body !== null && { body: named }) };
    return answered(shownBy(tool, await call(operation, args, signal)));
  } catch (error) {
    return refusal(error);
  }
}

function checkSize({ name }: Tool, given: Json): void {
  const text = JSON.stringify(given);
  if (text.length > maxArgumentChars)
    throw invalidOption(name, "arguments", `at most ${maxArgumentChars} characters of JSON`, given);
}
