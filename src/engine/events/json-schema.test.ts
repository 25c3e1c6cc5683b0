import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SwarmError } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { envelope } from "./envelope.ts";
import { envelopeSchema, type JsonSchema, outcomeSchema, payloadSchema } from "./json-schema.ts";
import { type EventName, eventNames, rowOf } from "./names.ts";
import { Outcome } from "./outcome.ts";
import { type Field, type FieldType, misfit } from "./schema.ts";
import { validatePayload } from "./validate.ts";

/** Whole numbers beyond 2^53 have a test of their own. */
const isExact = (value: unknown) => !Number.isInteger(value) || Number.isSafeInteger(value);
const json = fc.jsonValue({ maxDepth: 2 }).filter(isExact);

const fitting: Readonly<Record<FieldType, fc.Arbitrary<unknown>>> = {
  string: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact),
  integer: fc.maxSafeInteger(),
  boolean: fc.boolean(),
  object: fc.dictionary(fc.string({ minLength: 1 }), json, { maxKeys: 3 }),
  array: fc.array(json, { maxLength: 3 }),
  strings: fc.array(fc.string(), { maxLength: 3 }),
  any: json,
};

const nearMisses: Readonly<Record<FieldType, readonly unknown[]>> = {
  string: [1, ["x"], "neither"],
  number: ["1", [1]],
  integer: [1.5, "1", [1]],
  boolean: [0, "true"],
  object: [[], "{}"],
  array: [{}, { length: 0 }],
  strings: [[1], ["a", null], "a"],
  any: [],
};

/** Mostly what the field is declared for, sometimes anything at all, sometimes nothing. */
function valueFor(field: Field): fc.Arbitrary<unknown> {
  const declared = field.values === undefined ? fitting[field.type] : fc.constantFrom(...field.values);
  return fc.oneof(
    { weight: 30, arbitrary: declared },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.oneof(...Object.values(fitting)) },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...nearMisses[field.type], -0) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

function payloadOf(event: EventName): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(rowOf(event).payload);
  const declared = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field)])), {
    requiredKeys: fields.filter(([, field]) => field.isRequired).map(([name]) => name),
  });
  const undeclared = fc.dictionary(fc.constantFrom("zz_new", "camelCase", "constructor", "length"), json);
  return fc.tuple(declared, undeclared).map(([known, unknown]) => ({ ...unknown, ...known }));
}

let accepted = 0;
let refused = 0;

for (const event of eventNames) {
  test(`the JSON Schema of ${event} accepts what the engine accepts and refuses what it refuses`, () => {
    const schema = payloadSchema(event);
    fc.assert(
      fc.property(payloadOf(event), (data) => {
        const isAccepted = isValidPayload(event, data);
        isAccepted ? accepted++ : refused++;
        assert.equal(isValid(schema, JSON.parse(JSON.stringify(data))), isAccepted);
      }),
      { numRuns: 200 },
    );
  });
}

test("the payloads compared were neither all right nor all wrong", () => {
  assert.ok(accepted > 1_000, `${accepted} accepted`);
  assert.ok(refused > 1_000, `${refused} refused`);
});

test("a whole number too large to be exact is refused by the schema as by the engine", () => {
  for (const value of [2 ** 53, -(2 ** 53), 1e300]) {
    for (const event of eventNames) {
      for (const [name, field] of Object.entries(rowOf(event).payload)) {
        if (field.type !== "integer") continue;
        const { properties } = payloadSchema(event);
        assert.match(misfit(field, value) ?? "fits", /^a whole number/);
        assert.equal(
          isValid((properties as Record<string, JsonSchema>)[name] ?? {}, value),
          false,
          `${event} ${name}`,
        );
      }
    }
  }
});

test("every schema names its dialect, itself and each of its fields with a description", () => {
  const ids = new Set<unknown>();
  for (const event of eventNames) {
    const { $schema, $id, title, type, properties, required } = payloadSchema(event);
    ids.add($id);
    assert.equal($schema, "https://json-schema.org/draft/2020-12/schema");
    assert.deepEqual({ title, type }, { title: event, type: "object" });
    assert.deepEqual(Object.keys(properties as object), Object.keys(rowOf(event).payload));
    for (const name of required as string[]) assert.ok(Object.hasOwn(properties as object, name));
    for (const property of Object.values(properties as Record<string, JsonSchema>)) {
      assert.equal(typeof property.description, "string");
    }
  }
  assert.equal(ids.size, eventNames.length);
});

test("an envelope is valid under the envelope's schema, and one without an id is not", () => {
  const origin = { session: "s", cwd: "/project", source: "claude-code", native_event: "PreToolUse" };
  for (const from of [undefined, origin]) {
    const made = envelope("tool.before", newId("evt"), 1_712_345_678_250, from, {});
    assert.equal(isValid(envelopeSchema, roundTrip(made)), true);
    assert.equal(isValid(envelopeSchema, { ...made, id: "../x" }), false);
    assert.equal(isValid(envelopeSchema, roundTrip({ ...made, session: undefined })), false);
  }
});

test("an outcome is valid under the outcome's schema, denied or not, traced or not", () => {
  const outcome = new Outcome("tool.before", { tool_name: "Bash", tool_input: {} });
  assert.equal(isValid(outcomeSchema, roundTrip(outcome)), true);
  outcome.decision = { verdict: "deny", reason: "no", hook: "gate", context: ["be careful"], stop: null };
  const record = {
    name: "gate",
    kind: "function",
    mode: "guard",
    verdict: "deny",
    reason: "no",
    ms: 0.1,
  } as const;
  outcome.handlers = [{ ...record, status: "denied" }];
  assert.equal(isValid(outcomeSchema, roundTrip(outcome)), true);
  const { decision: _, ...undecided } = roundTrip(outcome) as Record<string, unknown>;
  assert.equal(isValid(outcomeSchema, undecided), false);
  assert.equal(isValid(outcomeSchema, { ...undecided, decision: { verdict: "block" } }), false);
});

function isValidPayload(event: EventName, data: unknown): boolean {
  try {
    validatePayload(event, data);
    return true;
  } catch (error) {
    if (error instanceof SwarmError) return false;
    throw error;
  }
}

function roundTrip(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** As much of JSON Schema as the generated schemas use; a keyword that is not here is an error. */
const keywords: Readonly<Record<string, (rule: never, value: unknown, schema: JsonSchema) => boolean>> = {
  $schema: () => true,
  $id: () => true,
  title: () => true,
  description: () => true,
  type: (types: string | string[], value) => [types].flat().some((type) => isOfType(type, value)),
  enum: (values: unknown[], value) => values.includes(value),
  anyOf: (schemas: JsonSchema[], value) => schemas.some((schema) => isValid(schema, value)),
  items: (schema: JsonSchema, value) => !Array.isArray(value) || value.every((item) => isValid(schema, item)),
  properties: (schemas: Record<string, JsonSchema>, value) =>
    !isObject(value) ||
    Object.entries(schemas).every(
      ([name, schema]) => !Object.hasOwn(value, name) || isValid(schema, value[name]),
    ),
  required: (names: string[], value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  pattern: (source: string, value) => typeof value !== "string" || new RegExp(source, "u").test(value),
  minimum: (least: number, value) => typeof value !== "number" || value >= least,
  maximum: (most: number, value) => typeof value !== "number" || value <= most,
};

function isValid(schema: JsonSchema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    const holds = keywords[keyword];
    assert.ok(holds !== undefined, `the schema uses ${keyword}`);
    return holds(rule as never, value, schema);
  });
}

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
