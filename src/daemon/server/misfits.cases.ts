import assert from "node:assert/strict";
import type { JsonSchema } from "../../engine/events/json-schema.ts";

/** Where a value does not fit a schema, and why; empty when it fits. */
export function misfits(schema: JsonSchema, value: unknown, at = "$"): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const look = keywords[keyword];
    assert.ok(look !== undefined, `${at}: the schema uses ${keyword}`);
    return look(rule as never, value, at, schema);
  });
}

type Look = (rule: never, value: unknown, at: string, schema: JsonSchema) => string[];

/** As much of JSON Schema as the document uses; a keyword that is not here is an error. */
const keywords: Readonly<Record<string, Look>> = {
  description: () => [],
  title: () => [],
  type: (types: string | string[], value, at) =>
    [types].flat().some((type) => isOfType(type, value))
      ? []
      : [`${at} is no ${[types].flat().join(" or ")}`],
  const: (only: unknown, value, at) => (value === only ? [] : [`${at} is not ${only}`]),
  enum: (values: unknown[], value, at) => (values.includes(value) ? [] : [`${at} is none of ${values}`]),
  anyOf: (schemas: JsonSchema[], value, at) => {
    const tried = schemas.map((schema) => misfits(schema, value, at));
    return tried.some((found) => found.length === 0) ? [] : tried.flat();
  },
  items: (schema: JsonSchema, value, at) =>
    Array.isArray(value) ? value.flatMap((item, index) => misfits(schema, item, `${at}[${index}]`)) : [],
  properties: (schemas: Record<string, JsonSchema>, value, at) =>
    Object.entries(schemas).flatMap(([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name) ? misfits(schema, value[name], `${at}.${name}`) : [],
    ),
  required: (names: string[], value, at) =>
    names
      .filter((name) => isObject(value) && !Object.hasOwn(value, name))
      .map((name) => `${at}.${name} is missing`),
  additionalProperties: (may: unknown, value, at, { properties = {} }) => {
    assert.equal(may, false);
    const extra = isObject(value) ? Object.keys(value) : [];
    return extra
      .filter((name) => !Object.hasOwn(properties as object, name))
      .map((name) => `${at}.${name} is extra`);
  },
  pattern: (source: string, value, at) =>
    typeof value !== "string" || new RegExp(source, "u").test(value) ? [] : [`${at} is not like ${source}`],
  format: (format: string, value, at) => {
    assert.equal(format, "date-time");
    const isTime = typeof value === "string" && new Date(value).toISOString() === value;
    return isTime ? [] : [`${at} is no time`];
  },
  minimum: (least: number, value, at) =>
    typeof value === "number" && value < least ? [`${at} is under ${least}`] : [],
  maximum: (most: number, value, at) =>
    typeof value === "number" && value > most ? [`${at} is over ${most}`] : [],
};

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      assert.fail(`the schema uses type ${type}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
