import { SwarmError } from "../../base/swarm-error.ts";
import { show } from "../../base/show.ts";
import { suggest } from "../../base/suggest.ts";
import { type Answer, rewrite } from "../events/answer.ts";
import { canonicalName, type EventName } from "../events/names.ts";
import { type AnyHandler, isLabel } from "./definition.ts";
import type { Data } from "./merge.ts";

/** The keys a hook object may have; each is an alias in the catalogue. */
export const hookObjectKeys = [
  "on_start",
  "on_end",
  "on_tool_start",
  "on_tool_end",
  "on_subagents_start",
  "on_subagents_end",
  "on_llm_start",
  "on_llm_end",
] as const;

/** Hooks that are nothing but tool names, so that they can be stored and sent as JSON. Null is the same as absent. */
export type HookObject = { readonly [K in (typeof hookObjectKeys)[number]]?: string | null };

/** Calls a tool of a configured server and returns its structured content. */
export type CallTool = (
  tool: string,
  input: { readonly messages: readonly unknown[]; readonly context: unknown },
  options: { readonly signal: AbortSignal },
) => unknown;

export interface ToolHook {
  readonly event: EventName;
  readonly tool: string;
}

/** The hooks a hook object stands for, in its own order. */
export function readHookObject(hookObject: unknown): ToolHook[] {
  if (typeof hookObject !== "object" || hookObject === null || Array.isArray(hookObject)) {
    throw new SwarmError("SWARM_HOOK_OBJECT_INVALID", {
      key: "hook object",
      problem: `is ${show(hookObject)}, expected an object of tool names`,
    });
  }
  const hooks: ToolHook[] = [];
  for (const [key, tool] of Object.entries(hookObject)) {
    if (!hookObjectKeys.some((known) => known === key)) throw unknownKey(key);
    if (tool === null || tool === undefined) continue;
    if (!isLabel(tool)) {
      const problem = `is ${show(tool)}, expected the name of a tool`;
      throw new SwarmError("SWARM_HOOK_OBJECT_INVALID", { key, problem });
    }
    hooks.push({ event: canonicalName(key), tool });
  }
  return hooks;
}

/** A handler that calls the tool; named after it, so that the hook is. */
export function toolHandler(tool: string, callTool: CallTool): AnyHandler {
  const handler: AnyHandler = async (data, call) => {
    const messages = Array.isArray(data.messages) ? data.messages : [];
    const input = { messages, context: data.context ?? null };
    return readToolResult(data, await callTool(tool, input, { signal: call.signal }));
  };
  return Object.defineProperty(handler, "name", { value: tool });
}

/**
 * What came back from the tool, as an answer. A field that is absent stays; an empty list or null replaces, unless the
 * event had no such field: then it is the tool's echo of what it was given in its place.
 */
function readToolResult(data: Data, returned: unknown): Answer<never, Record<string, unknown>> | undefined {
  if (returned === undefined || returned === null) return undefined;
  if (typeof returned !== "object" || Array.isArray(returned)) {
    throw new TypeError(`the tool returned ${show(returned)}, expected { messages, context }`);
  }
  const fields: Record<string, unknown> = {};
  for (const field of ["messages", "context"]) {
    if (!Object.hasOwn(returned, field)) continue;
    const value = (returned as Record<string, unknown>)[field];
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (!isEmpty || data[field] !== undefined) fields[field] = value;
  }
  return rewrite(fields);
}

function unknownKey(key: string): SwarmError {
  const near = suggest(key, hookObjectKeys);
  const problem =
    near === undefined ? `is not one of ${hookObjectKeys.join(", ")}` : `is unknown, did you mean ${near}?`;
  return new SwarmError("SWARM_HOOK_OBJECT_INVALID", { key, problem });
}
