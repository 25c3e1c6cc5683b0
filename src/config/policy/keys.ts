import { judgedEvents } from "../../policy/rules/action.ts";
import { type DetectorName, detectors } from "../../policy/rules/detect/detectors.ts";
import { behaviours, ruleModes } from "../../policy/rules/rule.ts";
import type { ConfigFields } from "../config-field.ts";

const matcherText = "a matcher: *, a name, A|B, write_*, or /a regular expression/";
const detectorNames = Object.keys(detectors) as DetectorName[];

export const ruleWhenKeys = {
  event: {
    type: "strings",
    mayBeAlone: true,
    doc: "What is judged: tool.before, cron.fired, batch.started, merge.started or plugin.command. Default any.",
  },
  tool: {
    type: "strings",
    mayBeAlone: true,
    doc: `The tool's own name or its common one (shell, write, edit, read, search, fetch, mcp:server/tool), ${matcherText}.`,
  },
  kind: { type: "strings", mayBeAlone: true, doc: `Kind of tool, task or processor, ${matcherText}.` },
  name: {
    type: "strings",
    mayBeAlone: true,
    doc: `Name of the tool, job, run, branch or plugin, ${matcherText}.`,
  },
  agent: { type: "strings", mayBeAlone: true, doc: `Id, type or program of the agent, ${matcherText}.` },
  role: { type: "strings", mayBeAlone: true, doc: `Role of the agent, ${matcherText}.` },
  args_pattern: {
    type: "any",
    doc: `For any text among the arguments, or a map from argument to ${matcherText}.`,
  },
  path: {
    type: "strings",
    mayBeAlone: true,
    doc: "Globs for files the action names, links resolved; ** spans folders, ~/ is the user's folder.",
  },
  write_path: {
    type: "strings",
    mayBeAlone: true,
    doc: "The same for files it would write, replace or delete.",
  },
  change_path: {
    type: "strings",
    mayBeAlone: true,
    doc: "The same for files it may change, or whose folder it may remove, move, link or mount over: any command that is not known to only read. $INSTALLED_HOOKS: where swarm install has put hooks.",
  },
  command: {
    type: "strings",
    mayBeAlone: true,
    doc: "Commands of a shell line in words: git push --force, npm publish !--dry-run.",
  },
  detect: {
    type: "strings",
    mayBeAlone: true,
    values: detectorNames,
    doc: "What a shell line does; see docs/permissions.md.",
  },
  time_window: {
    type: "strings",
    mayBeAlone: true,
    doc: "When it applies: Mon-Fri 09:00-17:00 Europe/Berlin. Zone, days or hours may be left out.",
  },
} as const satisfies ConfigFields;

/** Of an exception: the conditions of a rule, which hold as for one that allows, and exact ones. */
export const exceptKeys = {
  ...ruleWhenKeys,
  line: { type: "string", doc: "Exactly this shell line, given to a tool that is told nothing else." },
  input: { type: "any", doc: "Exactly these arguments of the tool." },
  folder: { type: "string", doc: "In this project alone: its folder, an absolute path." },
  until: {
    type: "string",
    doc: "Up to this time, as 2026-12-31 or 2026-12-31T12:00:00Z. Default without an end.",
  },
  reason: { type: "string", doc: "For readers." },
} as const satisfies ConfigFields;

/** One entry of `policy_exceptions`. */
export const policyExceptionKeys = {
  rule: { type: "string", isRequired: true, doc: "Id of the rule that does not count there." },
  ...exceptKeys,
} as const satisfies ConfigFields;

export const ruleKeys = {
  id: {
    type: "string",
    isRequired: true,
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.-]+)?$/,
    expected: "letters, digits, . _ - and one /",
    doc: "Unique; decisions and the record name it as policy:ID.",
  },
  when: {
    type: "any",
    keys: ruleWhenKeys,
    doc: "When it applies; every condition must hold. Default always.",
  },
  behaviour: {
    type: "string",
    isRequired: true,
    values: behaviours,
    doc: "deny > ask > allow. A project's file may not allow.",
  },
  reason: { type: "string", doc: "Told to whoever is refused." },
  priority: { type: "number", doc: "Among rules of one behaviour the highest is named. Default 0." },
  mode: {
    type: "string",
    values: ruleModes,
    doc: "warn: the rule says what it would have said, to the agent and the record; shadow: to the record alone. Neither changes the verdict. Default enforce.",
  },
  except: {
    type: "any",
    items: exceptKeys,
    doc: "Where the rule does not count: a list; one entry that holds is enough.",
  },
} as const satisfies ConfigFields;

export const testKeys = {
  expect: {
    type: "string",
    isRequired: true,
    values: ["allow", "deny", "ask", "none"],
    doc: "What the policy has to say.",
  },
  rule: { type: "string", doc: "Id of the rule that has to say it." },
  command: { type: "string", doc: "A shell line; short for tool: Bash with that input." },
  tool: { type: "string", doc: "Name of the tool." },
  input: { type: "any", doc: "Its arguments." },
  event: { type: "string", values: judgedEvents, doc: "Default tool.before." },
  kind: { type: "string", doc: "Kind of task or processor, for other events than tool.before." },
  name: { type: "string", doc: "Name of the job, run, branch or plugin." },
  agent: { type: "string", doc: "The agent." },
  role: { type: "string", doc: "Its role." },
  cwd: { type: "string", doc: "Its folder; default /srv/project, which is the project's." },
  folders: {
    type: "strings",
    mayBeAlone: true,
    doc: "Folders that are there besides the project's, from there: `cd` into others may fail.",
  },
  time: { type: "string", doc: "When, ISO 8601; default now." },
} as const satisfies ConfigFields;

/** A policy: a file of its own, or what stands under `policy:`. */
export const policyKeys = {
  $schema: { type: "string", doc: "For editors." },
  description: { type: "string", mayBeEmpty: true, doc: "For readers." },
  use: {
    type: "strings",
    mayBeAlone: true,
    doc: "Other policies: starter, which comes with swarm-hooks, or files.",
  },
  rules: { type: "any", items: ruleKeys, doc: "Rules." },
  disable: {
    type: "strings",
    mayBeAlone: true,
    doc: "Ids of rules that are not to count. Only in the user's config.yaml.",
  },
  tests: { type: "any", items: testKeys, doc: "Cases for swarm policy test." },
} as const satisfies ConfigFields;
