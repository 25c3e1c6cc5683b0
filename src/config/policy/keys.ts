import { judgedEvents } from "../../policy/rules/action.ts";
import { type DetectorName, detectors } from "../../policy/rules/detect/detectors.ts";
import { behaviours } from "../../policy/rules/rule.ts";
import type { KeyTable } from "../key.ts";

const matcherText = "a matcher: *, a name, A|B, write_*, or /a regular expression/";
const detectorNames = Object.keys(detectors) as DetectorName[];

export const ruleWhenKeys = {
  event: {
    type: "text_or_texts",
    doc: "What is judged: tool.before, cron.fired, batch.started, merge.started or plugin.command. Default any.",
  },
  tool: {
    type: "text_or_texts",
    doc: `The tool's own name or its common one (shell, write, edit, read, search, fetch, mcp:server/tool), ${matcherText}.`,
  },
  kind: { type: "text_or_texts", doc: `Kind of tool, task or processor, ${matcherText}.` },
  name: { type: "text_or_texts", doc: `Name of the tool, job, run, branch or plugin, ${matcherText}.` },
  agent: { type: "text_or_texts", doc: `Id, type or program of the agent, ${matcherText}.` },
  role: { type: "text_or_texts", doc: `Role of the agent, ${matcherText}.` },
  args_pattern: {
    type: "node",
    doc: `For any text among the arguments, or a map from argument to ${matcherText}.`,
  },
  path: {
    type: "text_or_texts",
    doc: "Globs for files the action names, links resolved; ** spans folders, ~/ is the user's folder.",
  },
  write_path: { type: "text_or_texts", doc: "The same for files it would write, replace or delete." },
  change_path: {
    type: "text_or_texts",
    doc: "The same for files it may change, or whose folder it may remove, move, link or mount over: any command that is not known to only read. $INSTALLED_HOOKS: where swarm install has put hooks.",
  },
  command: {
    type: "text_or_texts",
    doc: "Commands of a shell line in words: git push --force, npm publish !--dry-run.",
  },
  detect: {
    type: "text_or_texts",
    values: detectorNames,
    doc: "What a shell line does; see docs/permissions.md.",
  },
  time_window: {
    type: "text_or_texts",
    doc: "When it applies: Mon-Fri 09:00-17:00 Europe/Berlin. Zone, days or hours may be left out.",
  },
} as const satisfies KeyTable;

export const ruleKeys = {
  id: {
    type: "text",
    isRequired: true,
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.-]+)?$/,
    expected: "letters, digits, . _ - and one /",
    doc: "Unique; decisions and the record name it as policy:ID.",
  },
  when: {
    type: "node",
    keys: ruleWhenKeys,
    doc: "When it applies; every condition must hold. Default always.",
  },
  behaviour: {
    type: "text",
    isRequired: true,
    values: behaviours,
    doc: "deny > ask > allow. A project's file may not allow.",
  },
  reason: { type: "text", doc: "Told to whoever is refused." },
  priority: { type: "number", doc: "Among rules of one behaviour the highest is named. Default 0." },
} as const satisfies KeyTable;

export const testKeys = {
  expect: {
    type: "text",
    isRequired: true,
    values: ["allow", "deny", "ask", "none"],
    doc: "What the policy has to say.",
  },
  rule: { type: "text", doc: "Id of the rule that has to say it." },
  command: { type: "text", doc: "A shell line; short for tool: Bash with that input." },
  tool: { type: "text", doc: "Name of the tool." },
  input: { type: "node", doc: "Its arguments." },
  event: { type: "text", values: judgedEvents, doc: "Default tool.before." },
  kind: { type: "text", doc: "Kind of task or processor, for other events than tool.before." },
  name: { type: "text", doc: "Name of the job, run, branch or plugin." },
  agent: { type: "text", doc: "The agent." },
  role: { type: "text", doc: "Its role." },
  cwd: { type: "text", doc: "Its folder; default /srv/project, which is the project's." },
  folders: {
    type: "text_or_texts",
    doc: "Folders that are there besides the project's, from there: `cd` into others may fail.",
  },
  time: { type: "text", doc: "When, ISO 8601; default now." },
} as const satisfies KeyTable;

/** A policy: a file of its own, or what stands under `policy:`. */
export const policyKeys = {
  $schema: { type: "text", doc: "For editors." },
  description: { type: "text", mayBeEmpty: true, doc: "For readers." },
  use: { type: "text_or_texts", doc: "Other policies: starter, which comes with swarm-hooks, or files." },
  rules: { type: "node", items: ruleKeys, doc: "Rules." },
  disable: {
    type: "text_or_texts",
    doc: "Ids of rules that are not to count. Only in the user's config.yaml.",
  },
  tests: { type: "node", items: testKeys, doc: "Cases for swarm policy test." },
} as const satisfies KeyTable;
