import { limits } from "../base/limits.ts";
import { verdicts } from "../engine/events/decision.ts";
import { modes } from "../engine/events/outcome.ts";
import { hookObjectKeys } from "../engine/hooks/hook-object.ts";
import { webhookFormats } from "../net/webhook-formats.ts";
import { flagKeys } from "./flags.ts";
import type { ConfigField, ConfigFields } from "./config-field.ts";
import { kindNames, kinds } from "./kinds.ts";
import { policyExceptionKeys } from "./policy/keys.ts";
import { serverKeys } from "./server-keys.ts";

const matcherText = "a matcher: *, a name, A|B, write_*, or /a regular expression/";

export const whenKeys = {
  agent: { type: "string", doc: `Id, name or kind of the agent, ${matcherText}.` },
  role: { type: "string", doc: `Role of the agent or task, ${matcherText}.` },
  path: { type: "string", doc: "Glob for a path among the tool's arguments; ** spans folders." },
  source: { type: "string", doc: `Where the event came from, ${matcherText}.` },
  args: { type: "object", isOfTexts: true, doc: `Argument of the tool → ${matcherText}.` },
  verdict: {
    type: "strings",
    mayBeAlone: true,
    values: verdicts,
    doc: "Observers and webhooks only: what was decided is one of these; deny implies on_denied.",
  },
} as const satisfies ConfigFields;

const kindsInWords = kindNames.map((kind) => `${kind}: ${kinds[kind].doc}`).join(" ");

/** Keys of a hook under its event. Which kind takes which is said by the table of kinds. */
export const hookKeys = {
  type: { type: "string", isRequired: true, values: kindNames, doc: kindsInWords },
  name: {
    type: "string",
    pattern: /^[^\p{Cc}\u2028\u2029]{1,128}$/u,
    expected: "a text of 1 to 128 characters on one line",
    doc: "Unique among all hooks; decisions and logs name it. Made up when left out.",
  },
  match: { type: "string", doc: `Compared with the field the event names, ${matcherText}. Default *.` },
  when: { type: "any", keys: whenKeys, doc: "Narrows further; every condition must hold." },
  priority: { type: "number", doc: "Higher runs first. Default 0." },
  mode: {
    type: "string",
    values: modes,
    doc: "transform may rewrite and deny, guard judges the final payload, observe is told afterwards.",
  },
  on_failure: {
    type: "string",
    values: ["allow", "deny"],
    doc: "What a failure of the hook means for the action.",
  },
  on_denied: {
    type: "boolean",
    doc: "Observers only: also told of actions that were denied. Default false.",
  },
  timeout_s: {
    type: "number",
    min: 0.001,
    max: Math.floor(limits.maxTimeoutMs / 1_000),
    doc: "Deadline of one call, in seconds.",
  },
  command: { type: "string", doc: "A line for the shell." },
  args: {
    type: "strings",
    min: 1,
    mayBeEmpty: true,
    expected: "a program and its arguments",
    doc: "The program and its arguments, run without a shell. Variables in them stay as written.",
  },
  files: {
    type: "strings",
    expected: "a list of paths and globs",
    doc: "Files its program needs beside those the command names: paths and globs from this file's folder. In a project's file they are approved and kept with it (docs/trust.md).",
  },
  url: {
    type: "string",
    doc: "An http or https address. Variables in braces are replaced, if the user's file allows them.",
  },
  secret: {
    type: "string",
    isSecret: true,
    expected: "text; a number needs quotes",
    doc: "Signs the request. Variables in braces are replaced, if the user's file allows them.",
  },
  previous_secret: {
    type: "string",
    isSecret: true,
    expected: "text; a number needs quotes",
    doc: "Signs as well, while receivers change from it to secret.",
  },
  unsigned: {
    type: "boolean",
    doc: "true: sent without a signature. Without it and without a secret nothing is sent. Default false.",
  },
  retry: {
    type: "integer",
    min: 0,
    max: 100,
    doc: "How often a delivery the receiver turned down for the moment is tried again. Default 3.",
  },
  max_age_s: {
    type: "number",
    min: 1,
    max: 30 * 86_400,
    doc: "How long a receiver that cannot be reached, or fails, is waited for, in seconds. Default 259200, three days.",
  },
  format: {
    type: "string",
    values: webhookFormats,
    doc: "Sends what that service takes instead of the event; pagerduty needs a routing_key.",
  },
  body: {
    type: "any",
    doc: "What is sent instead of the event: a map whose texts may have {{path}}, such as {{decision.reason}} or {{summary}}.",
  },
  routing_key: {
    type: "string",
    isSecret: true,
    expected: "text; a number needs quotes",
    doc: "For format pagerduty: the key of the integration. Variables in braces are replaced, if the user's file allows them.",
  },
  legacy_headers: {
    type: "string",
    pattern: /^[A-Za-z][A-Za-z0-9-]{0,30}$/,
    expected: "the prefix of the headers, such as Bernstein",
    doc: "Adds X-<prefix>-Event, X-<prefix>-Signature (hex HMAC-SHA256 of the body) and X-<prefix>-Timestamp.",
  },
  headers: {
    type: "object",
    isOfTexts: true,
    isSecret: true,
    mayBeEmpty: true,
    expected: "a map of texts; a number needs quotes",
    doc: "Sent with the request. Variables in braces are replaced, if the user's file allows them.",
  },
  allow_private: {
    type: "strings",
    doc: "Addresses it may connect to that are not of the public internet: an address, a block such as 10.0.0.0/8, loopback or private. Default none.",
  },
  server: {
    type: "string",
    doc: "The server of mcp_servers that has the tool. Default: the only one that has it.",
  },
  tool: { type: "string", doc: "Name of the tool." },
} as const satisfies ConfigFields;

/** Keys of a hook in a list, where it says its event itself. */
export const listedHookKeys = {
  event: { type: "string", isRequired: true, doc: "Any name of docs/events.md." },
  ...hookKeys,
} as const satisfies ConfigFields;

/** A hook object: event → name of a tool. */
export const hookObjectTable: ConfigFields = Object.fromEntries(
  hookObjectKeys.map((key): [string, ConfigField] => [
    key,
    { type: "string", doc: "Name of the tool to call." },
  ]),
);

/** What a hook object may say of all its tools. */
export const hookObjectOptions = {
  when: hookKeys.when,
  server: hookKeys.server,
} as const satisfies ConfigFields;

export const loggingKeys = {
  hooks: { type: "string", values: ["off", "debug"], doc: "debug: every call, payload and result." },
} as const satisfies ConfigFields;

export const envKeys = {
  allow: {
    type: "strings",
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
    expected: "names of environment variables",
    doc: "Variables that configuration files and hooks may read.",
  },
} as const satisfies ConfigFields;

export const auditKeys = {
  durability: {
    type: "string",
    values: ["process", "power_loss"],
    doc: "What a row of the record has survived before an answer leaves: the death of the process (then fsynced within 100 ms), or a power loss. Default process.",
  },
  payload_retention_days: {
    type: "integer",
    min: 0,
    max: 36_500,
    doc: "Payloads older than this are forgotten; their hashes stay in the record. Default 90.",
  },
} as const satisfies ConfigFields;

export const approvalKeys = {
  ttl_s: {
    type: "integer",
    min: 1,
    max: 30 * 86_400,
    doc: "How long a question waits for its decision, and a decision for its call, in seconds; then it is a denial. Default 3600.",
  },
  wait_s: {
    type: "integer",
    min: 0,
    max: 3_600,
    doc: "How long an agent's call waits for a person, in seconds, within the agent's own deadline. Default 0.",
  },
  require: {
    type: "string",
    values: ["any", "person"],
    doc: "person: an approval takes the signature of an approver's key, which no agent can use (docs/approvals.md). Default any: whoever holds an operator's token.",
  },
} as const satisfies ConfigFields;

export const batchSectionKeys = {
  upload_limit_mb: {
    type: "integer",
    min: 1,
    max: 1_000_000,
    doc: "How large records may be that come in the body of a call, in MiB. Default 10240.",
  },
} as const satisfies ConfigFields;

const keptDays = { type: "integer", min: 0, max: 36_500 } as const;

export const retentionKeys = {
  batch_days: {
    ...keptDays,
    doc: "Batch runs that have ended are forgotten after so many days, with their folders in SWARM_HOME. Default 365.",
  },
  pipeline_days: {
    ...keptDays,
    doc: "The same for pipeline runs, but for those that models' versions came from. Default 365.",
  },
  drift_days: { ...keptDays, doc: "The same for drift checks with their reports. Default 365." },
} as const satisfies ConfigFields;

/** Keys of one source of messages. */
export const inboundKeys = {
  secret: {
    type: "string",
    isRequired: true,
    isSecret: true,
    expected: "text; a number needs quotes",
    doc: "What its messages are signed with, as Standard Webhooks says. Variables in braces are replaced.",
  },
  previous_secret: {
    type: "string",
    isSecret: true,
    expected: "text; a number needs quotes",
    doc: "Is taken as well, while the sender changes from it to secret.",
  },
  event: { type: "string", doc: "What a message becomes: any name of docs/events.md. Default notification." },
} as const satisfies ConfigFields;

/** Keys of a whole file. */
export const fileKeys = {
  $schema: { type: "string", doc: "For editors." },
  description: { type: "string", mayBeEmpty: true, doc: "For readers." },
  hooks: { type: "any", doc: "A list of hooks, or a map from event to hooks." },
  mcp_servers: {
    type: "any",
    isNoPlugins: true,
    valueKeys: serverKeys,
    doc: "Servers whose tools hooks of type mcp_tool call, by name. A project's file adds some for its own hooks.",
  },
  ...flagKeys,
  sandbox: {
    type: "string",
    values: ["off", "strict"],
    isUsers: true,
    doc: "strict: every program under resource limits and, where bubblewrap works, in a process namespace. Default off.",
  },
  auto_start: {
    type: "boolean",
    isUsers: true,
    doc: "Whether an agent's call starts the daemon when none runs, unless swarm stop was the last word. Default true.",
  },
  cron: {
    type: "any",
    isNoPlugins: true,
    doc: "A list of jobs that run by a schedule. A project's run once they are approved, in its own folder.",
  },
  pipelines: {
    type: "any",
    isNoPlugins: true,
    doc: "A map from name to pipeline: steps of commands that make a model of data. A project's run once they are approved.",
  },
  logging: { type: "any", keys: loggingKeys, isUsers: true, doc: "What is logged." },
  policy: {
    type: "any",
    isNoPlugins: true,
    doc: "Permission rules: starter, a policy file, a list of them, or a map with rules. A project's may only deny and ask.",
  },
  policy_exceptions: {
    type: "any",
    isUsers: true,
    items: policyExceptionKeys,
    doc: "Where rules of any policy do not count, by the rule's id; swarm policy allow writes them.",
  },
  redact: {
    type: "any",
    isNoPlugins: true,
    doc: "true: secrets in the output of tools are masked before the model reads them; or a map with the forms to mask or disable. A project's may only switch it on.",
  },
  approvals: { type: "any", keys: approvalKeys, isUsers: true, doc: "Questions for a person." },
  batch: { type: "any", keys: batchSectionKeys, isUsers: true, doc: "Batch runs." },
  retention: {
    type: "any",
    keys: retentionKeys,
    isUsers: true,
    doc: "How long runs, checks and their files are kept.",
  },
  audit: { type: "any", keys: auditKeys, isUsers: true, doc: "How the record is kept." },
  inbound: {
    type: "any",
    isUsers: true,
    doc: "Who may send messages to /api/v1/inbound/{source}: a map from source to its secret and event.",
  },
  env: { type: "any", keys: envKeys, isUsers: true, doc: "What of the environment may be read." },
  plugin_shell_allowlist: {
    type: "strings",
    isUsers: true,
    doc: "Whole command lines that hooks of plugins may run, if the plugin declares them too.",
  },
  plugin_options: { type: "any", isUsers: true, doc: "A map from plugin to what its functions are given." },
} as const satisfies ConfigFields;
