import { limits } from "../../base/limits.ts";
import type { ConfigFields } from "../config-field.ts";
import { whenKeys } from "../keys.ts";

/** Keys of one entry under an event. */
export const claudeGroupKeys = {
  matcher: {
    type: "string",
    mayBeEmpty: true,
    doc: "Names separated by | or a comma, or a regular expression.",
  },
  when: { type: "any", keys: whenKeys, doc: "Ours, not Claude Code's: narrows further, as in other hooks." },
  hooks: { type: "any", isRequired: true, doc: "The hooks it selects." },
} as const satisfies ConfigFields;

/** The same in a list, where it says its event itself. */
export const claudeListedGroupKeys = {
  event: { type: "string", isRequired: true, doc: "Any name of docs/events.md." },
  ...claudeGroupKeys,
} as const satisfies ConfigFields;

/** Keys of one hook of such an entry; those without a remark are read. */
export const claudeHookKeys = {
  type: {
    type: "string",
    isRequired: true,
    values: ["command", "http", "mcp_tool", "prompt", "agent"],
    doc: "What the hook does; prompt and agent are skipped.",
  },
  command: { type: "string", doc: "A line for the shell; with args the program." },
  args: { type: "strings", mayBeEmpty: true, doc: "Arguments of the program, run without a shell." },
  files: {
    type: "strings",
    doc: "Ours: files the program needs, approved and kept with it (docs/trust.md).",
  },
  shell: { type: "string", values: ["bash", "powershell"], doc: "A hook for powershell is skipped." },
  timeout: {
    type: "number",
    min: 0.001,
    max: Math.floor(limits.maxTimeoutMs / 1_000),
    doc: "Deadline of one call, in seconds. Default 600 for a command.",
  },
  onFailure: { type: "string", values: ["continue", "block"], doc: "What a failure means for the action." },
  async: { type: "boolean", doc: "Told afterwards, as mode observe." },
  asyncRewake: { type: "boolean", doc: "The same; nobody is woken." },
  if: { type: "string", doc: "A hook with this filter is skipped." },
  once: { type: "boolean", doc: "Without effect, as in the original." },
  statusMessage: { type: "string", mayBeEmpty: true, doc: "Not shown." },
  url: { type: "string", doc: "An http or https address." },
  headers: {
    type: "object",
    isOfTexts: true,
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts",
    doc: "Sent with the request. Variables are replaced, if allowedEnvVars and the user's file list them.",
  },
  allowedEnvVars: { type: "strings", doc: "Variables the headers may use." },
  allowPrivate: {
    type: "strings",
    doc: "A key of ours: addresses it may connect to that are not of the public internet, as allow_private.",
  },
  server: { type: "string", doc: "The server that has the tool." },
  tool: { type: "string", doc: "Name of the tool." },
  input: { type: "any", doc: "A hook with its own input is skipped." },
  prompt: { type: "string", doc: "For types that are skipped." },
  model: { type: "string", doc: "For types that are skipped." },
  continueOnBlock: { type: "boolean", doc: "For types that are skipped." },
} as const satisfies ConfigFields;

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
