import { limits } from "../../base/limits.ts";
import type { KeyTable } from "../key.ts";
import { whenKeys } from "../keys.ts";

/** Keys of one entry under an event. */
export const claudeGroupKeys = {
  matcher: {
    type: "text",
    mayBeEmpty: true,
    doc: "Names separated by | or a comma, or a regular expression.",
  },
  when: { type: "node", keys: whenKeys, doc: "Ours, not Claude Code's: narrows further, as in other hooks." },
  hooks: { type: "node", isRequired: true, doc: "The hooks it selects." },
} as const satisfies KeyTable;

/** The same in a list, where it says its event itself. */
export const claudeListedGroupKeys = {
  event: { type: "text", isRequired: true, doc: "Any name of docs/events.md." },
  ...claudeGroupKeys,
} as const satisfies KeyTable;

/** Keys of one hook of such an entry; those without a remark are read. */
export const claudeHookKeys = {
  type: {
    type: "text",
    isRequired: true,
    values: ["command", "http", "mcp_tool", "prompt", "agent"],
    doc: "What the hook does; prompt and agent are skipped.",
  },
  command: { type: "text", doc: "A line for the shell; with args the program." },
  args: { type: "texts", mayBeEmpty: true, doc: "Arguments of the program, run without a shell." },
  files: { type: "texts", doc: "Ours: files the program needs, approved and kept with it (docs/trust.md)." },
  shell: { type: "text", values: ["bash", "powershell"], doc: "A hook for powershell is skipped." },
  timeout: {
    type: "number",
    min: 0.001,
    max: Math.floor(limits.maxTimeoutMs / 1_000),
    doc: "Deadline of one call, in seconds. Default 600 for a command.",
  },
  onFailure: { type: "text", values: ["continue", "block"], doc: "What a failure means for the action." },
  async: { type: "boolean", doc: "Told afterwards, as mode observe." },
  asyncRewake: { type: "boolean", doc: "The same; nobody is woken." },
  if: { type: "text", doc: "A hook with this filter is skipped." },
  once: { type: "boolean", doc: "Without effect, as in the original." },
  statusMessage: { type: "text", mayBeEmpty: true, doc: "Not shown." },
  url: { type: "text", doc: "An http or https address." },
  headers: {
    type: "text_map",
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts",
    doc: "Sent with the request. Variables are replaced, if allowedEnvVars and the user's file list them.",
  },
  allowedEnvVars: { type: "texts", doc: "Variables the headers may use." },
  allowPrivate: {
    type: "texts",
    doc: "A key of ours: addresses it may connect to that are not of the public internet, as allow_private.",
  },
  server: { type: "text", doc: "The server that has the tool." },
  tool: { type: "text", doc: "Name of the tool." },
  input: { type: "node", doc: "A hook with its own input is skipped." },
  prompt: { type: "text", doc: "For types that are skipped." },
  model: { type: "text", doc: "For types that are skipped." },
  continueOnBlock: { type: "boolean", doc: "For types that are skipped." },
} as const satisfies KeyTable;

/** Events of Claude Code 2.1.325 that have no row in the catalogue: their hooks are skipped, not refused. */
export const claudeEventsWithoutRow: readonly string[] = [
  "PostToolBatch",
  "UserPromptExpansion",
  "StopFailure",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
];
