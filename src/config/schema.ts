import { idPattern } from "../base/ids.ts";
import type { JsonSchema } from "../engine/events/json-schema.ts";
import { canonicalByName } from "../engine/events/names.ts";
import { jobFields } from "../operations/cron/port/cron-job.ts";
import { pipelineName } from "../operations/pipelines/port/pipeline.ts";
import {
  claudeEventsWithoutRow,
  claudeGroupKeys,
  claudeHookKeys,
  claudeListedGroupKeys,
} from "./dialects/claude-keys.ts";
import type { ConfigField, ConfigFields } from "./config-field.ts";
import {
  fileKeys,
  hookKeys,
  hookObjectOptions,
  hookObjectTable,
  inboundKeys,
  listedHookKeys,
} from "./keys.ts";
import { kindNames, kinds, kindsOfKey } from "./kinds.ts";
import { dataKeys, pipelineKeys, stepKeys } from "./pipeline-keys.ts";
import { policyKeys } from "./policy/keys.ts";
import { redactKeys } from "./redact-section.ts";
import { serverName, serverNeeds } from "./server-keys.ts";

const eventNames = [...canonicalByName.keys()];

/** The JSON Schema of a configuration file, for editors; every key, type and text of it comes from the loader's tables. */
export const configSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:swarm-hooks:config",
  title: "swarm.yaml and config.yaml",
  anyOf: [fileSchema(), { $ref: "#/$defs/hook_object" }, { type: "null" }],
  $defs: {
    listed_hook: hookSchema({ ...listedHookKeys, event: { ...listedHookKeys.event, values: eventNames } }),
    mapped_hook: hookSchema(hookKeys),
    hook_object: {
      ...tableSchema(hookObjectTable),
      properties: {
        ...mapValues(hookObjectTable, (key) => ({ ...keySchema(key), type: ["string", "null"] })),
        ...mapValues(hookObjectOptions, keySchema),
      },
      minProperties: 1,
    },
    claude_group: { ...groupSchema(claudeGroupKeys), additionalProperties: true },
    listed_group: groupSchema({
      ...claudeListedGroupKeys,
      event: { ...claudeListedGroupKeys.event, values: eventNames },
    }),
    cron_job: tableSchema(jobFields),
    pipeline: pipelineSchema(),
    claude_hook: { ...tableSchema(claudeHookKeys), additionalProperties: true },
    policy: tableSchema(policyKeys),
  },
};

/** The JSON Schema of a policy file. */
export const policySchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:swarm-hooks:policy",
  title: "A policy file",
  ...tableSchema(policyKeys),
};

function fileSchema(): JsonSchema {
  const schema = tableSchema(fileKeys);
  const hooks = { description: fileKeys.hooks.doc, anyOf: [...hooksSchemas(), { type: "null" }] };
  const names = { type: "string", minLength: 1 };
  const policies = [names, { type: "array", items: names }, { $ref: "#/$defs/policy" }, { type: "null" }];
  const policy = { description: fileKeys.policy.doc, anyOf: policies };
  const inbound = {
    description: `${fileKeys.inbound.doc} Only in the user's file.`,
    type: "object",
    propertyNames: { pattern: idPattern.source },
    additionalProperties: tableSchema(inboundKeys),
  };
  const jobs = { type: "array", items: { $ref: "#/$defs/cron_job" } };
  const cron = { description: fileKeys.cron.doc, anyOf: [jobs, { type: "null" }] };
  const pipelines = { description: fileKeys.pipelines.doc, ...named({ $ref: "#/$defs/pipeline" }) };
  const redact = {
    description: fileKeys.redact.doc,
    anyOf: [{ type: ["boolean", "null"] }, tableSchema(redactKeys)],
  };
  const sections = { hooks, cron, pipelines, policy, redact, inbound };
  return { ...schema, properties: { ...mapValues(fileKeys, keySchema), ...sections } };
}

function pipelineSchema(): JsonSchema {
  const command = (key: ConfigField) => ({
    description: key.doc,
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", items: { type: "string" }, minItems: 1 },
    ],
  });
  const step = tableSchema(stepKeys);
  const run = { ...step, properties: { ...mapValues(stepKeys, keySchema), run: command(stepKeys.run) } };
  const data = {
    ...tableSchema(dataKeys),
    description: pipelineKeys.data.doc,
    properties: { ...mapValues(dataKeys, keySchema), command: command(dataKeys.command) },
    oneOf: [{ required: ["pattern"] }, { required: ["command"] }],
  };
  const steps = { description: pipelineKeys.steps.doc, ...named(run), type: "object", minProperties: 1 };
  return {
    ...tableSchema(pipelineKeys),
    properties: { ...mapValues(pipelineKeys, keySchema), data, steps },
  };
}

/** A map from a pipeline's or step's name to one. */
function named(one: JsonSchema): JsonSchema {
  const propertyNames = { pattern: pipelineName.source };
  return { type: ["object", "null"], propertyNames, additionalProperties: one };
}

/** A plugin's manifest: the table of its keys, and hooks as in a file, or the path of one. */
export function manifestSchema(table: ConfigFields, $id: string, title: string): JsonSchema {
  const hooks = {
    description: table.hooks?.doc,
    anyOf: [...hooksSchemas(), { type: "string", minLength: 1 }],
  };
  return {
    $schema: configSchema.$schema,
    $id,
    title,
    ...tableSchema(table),
    properties: { ...mapValues(table, keySchema), hooks },
    $defs: configSchema.$defs,
  };
}

function hooksSchemas(): JsonSchema[] {
  const list = { type: "array", items: anyOf("listed_hook", "listed_group", "hook_object") };
  const byEvent = {
    type: "object",
    propertyNames: { enum: [...eventNames, ...claudeEventsWithoutRow] },
    additionalProperties: {
      anyOf: [{ type: "array", items: anyOf("mapped_hook", "claude_group") }, { type: ["string", "null"] }],
    },
  };
  return [list, byEvent];
}

function groupSchema(table: ConfigFields): JsonSchema {
  const hooks = { type: "array", items: { $ref: "#/$defs/claude_hook" } };
  return { ...tableSchema(table), properties: { ...mapValues(table, keySchema), hooks } };
}

/** The keys of all kinds, then for each kind those it must have and those it must not. */
function hookSchema(table: ConfigFields): JsonSchema {
  const byKind = kindNames.map((kind) => {
    const isForeign = (key: string) => kindsOfKey(key).length > 0 && !kindsOfKey(key).includes(kind);
    return {
      if: { properties: { type: { const: kind } }, required: ["type"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, on an object nobody awaits.
      then: {
        oneOf: kinds[kind].needs.map((key) => ({ required: [key] })),
        properties: {
          mode: { enum: kinds[kind].modes },
          ...Object.fromEntries(
            Object.keys(table)
              .filter(isForeign)
              .map((key) => [key, false]),
          ),
        },
      },
    };
  });
  return { ...tableSchema(table), allOf: byKind };
}

function tableSchema(table: ConfigFields): JsonSchema {
  return {
    type: "object",
    properties: mapValues(table, keySchema),
    required: Object.keys(table).filter((key) => table[key]?.isRequired === true),
    additionalProperties: false,
  };
}

function keySchema(key: ConfigField): JsonSchema {
  return {
    description: key.isUsers === true ? `${key.doc} Only in the user's file.` : key.doc,
    ...valueSchema(key),
  };
}

function valueSchema(key: ConfigField): JsonSchema {
  const range = {
    ...(key.min === undefined ? {} : { minimum: key.min }),
    ...(key.max === undefined ? {} : { maximum: key.max }),
  };
  switch (key.type) {
    case "string":
      return textSchema(key);
    case "strings":
      if (key.mayBeAlone === true)
        return { anyOf: [textSchema(key), { type: "array", items: textSchema(key), minItems: 1 }] };
      return { type: "array", items: textSchema(key), minItems: key.min ?? 0 };
    case "object":
      return { type: "object", ...(key.isOfTexts === true && { additionalProperties: textSchema(key) }) };
    case "any":
      if (key.valueKeys !== undefined) return serversSchema(key.valueKeys);
      if (key.items !== undefined) return { type: ["array", "null"], items: tableSchema(key.items) };
      return key.keys === undefined ? {} : tableSchema(key.keys);
    default:
      return { type: key.type, ...range };
  }
}

/** By name, each reached in one of two ways. */
function serversSchema(table: ConfigFields): JsonSchema {
  const oneOf = serverNeeds.map((key) => ({ required: [key] }));
  return {
    type: ["object", "null"],
    propertyNames: { pattern: serverName.source },
    additionalProperties: { ...tableSchema(table), oneOf },
  };
}

function textSchema({ values, pattern, mayBeEmpty }: ConfigField): JsonSchema {
  if (values !== undefined) return { enum: values };
  return {
    type: "string",
    ...(pattern === undefined ? {} : { pattern: pattern.source }),
    ...(mayBeEmpty === true ? {} : { minLength: 1 }),
  };
}

function anyOf(...names: string[]): JsonSchema {
  return { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
}

function mapValues(table: ConfigFields, map: (key: ConfigField) => JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(table).map(([name, key]) => [name, map(key)]));
}
