import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonSchema } from "../engine/events/json-schema.ts";
import { parse, problemOf } from "./harness.cases.ts";
import { fileKeys, hookKeys } from "./keys.ts";
import { kindNames, kinds } from "./kinds.ts";
import { configSchema } from "./schema.ts";
import { serverKeys } from "./server-keys.ts";

/** What both the loader and the schema accept. */
const accepted: Readonly<Record<string, unknown>> = {
  nothing: {},
  "a hook that says everything": {
    $schema: "x",
    description: "",
    hooks_enabled: true,
    sandbox: "strict",
    logging: { hooks: "debug" },
    env: { allow: ["A"] },
    cron_scheduler: false,
    cron: [
      {
        name: "nightly_fraud_drift",
        schedule: "0 3 * * *",
        tz: "Europe/Berlin",
        task: "drift_check",
        config: { baseline_run_id: "abc123", window_hours: 24 },
        enabled: false,
        overlap: "queue",
        misfire: "all",
        misfire_cap: 3,
        grace_s: 0,
        jitter_s: 60,
        timeout_s: 1,
        retries: 0,
        backoff_s: 1,
        approval_required: true,
        cwd: "/",
      },
    ],
    pipelines: {
      fraud: {
        cwd: "/srv",
        model: "m",
        data: { pattern: "data/*.csv" },
        max_parallel: 1,
        steps: {
          a: { run: "x", outputs: ["o"] },
          b: {
            run: ["x", ""],
            needs: ["a"],
            inputs: ["i"],
            files: ["f"],
            environment: { A: "" },
            timeout_s: 1,
            retries: 1,
            metrics: "m.json",
          },
        },
      },
    },
    hooks: [
      {
        event: "PreToolUse",
        type: "command",
        name: "n",
        args: ["a", ""],
        match: "A|B",
        when: { agent: "a", role: "b", path: "c", source: "d", args: { e: "f" } },
        priority: -1.5,
        mode: "guard",
        on_failure: "deny",
        on_denied: false,
        timeout_s: 0.5,
      },
      { event: "Stop", type: "webhook", url: "http://a", secret: "s", retry: 0, headers: { a: "" } },
      { event: "Stop", type: "mcp_tool", server: "s", tool: "t", mode: "observe", on_denied: true },
      { on_start: "a", on_end: null },
      { on_start: "a", when: { agent: "b" }, server: "s" },
    ],
    mcp_servers: {
      s: { command: "node", args: ["a", ""], env: { A: "" }, cwd: "b" },
      "s.2-b_c": { command: ["node", "a", ""] },
      t: { url: "http://a/mcp", headers: { a: "" }, allow_private: ["loopback"] },
    },
  },
  "a map of all shapes": {
    hooks: {
      "task.created": [{ type: "blocking_script", command: "x", timeout_s: 5 }],
      PostTool: [{ matcher: "", hooks: [{ type: "command", command: "x", timeout: 5, colour: "red" }] }],
      FileChanged: [{ matcher: "x", hooks: [] }],
      on_start: "tool",
      on_end: null,
    },
  },
  "a hook object": { on_start: "a", on_llm_end: null },
  "no hooks": { hooks: null },
  "no servers": { mcp_servers: null },
  "no jobs": { cron: null },
};

/** What both refuse. */
const refused: Readonly<Record<string, unknown>> = {
  "an unknown key": { hoks: [] },
  "an unknown event": { hooks: [{ event: "X", type: "command", command: "x" }] },
  "an unknown event of a map": { hooks: { X: [] } },
  "an unknown key of a hook": { hooks: [{ event: "Stop", type: "command", command: "x", mach: "y" }] },
  "no event": { hooks: [{ type: "command", command: "x" }] },
  "no type": { hooks: [{ event: "Stop", command: "x" }] },
  "no program": { hooks: [{ event: "Stop", type: "command" }] },
  "two programs": { hooks: [{ event: "Stop", type: "command", command: "x", args: ["x"] }] },
  "an empty program": { hooks: [{ event: "Stop", type: "command", command: "" }] },
  "no arguments": { hooks: [{ event: "Stop", type: "command", args: [] }] },
  "a key of another kind": { hooks: [{ event: "Stop", type: "command", command: "x", url: "http://a" }] },
  "a mode of another kind": { hooks: [{ event: "Stop", type: "script", command: "x", mode: "guard" }] },
  "no time": { hooks: [{ event: "Stop", type: "command", command: "x", timeout_s: 0 }] },
  "half a retry": { hooks: [{ event: "Stop", type: "webhook", url: "http://a", retry: 0.5 }] },
  "an unknown condition": { hooks: [{ event: "Stop", type: "command", command: "x", when: { a: "b" } }] },
  "a name of two lines": { hooks: [{ event: "Stop", type: "command", command: "x", name: "a\nb" }] },
  "a job without a name": { cron: [{ schedule: "1h", task: "custom" }] },
  "a job without a schedule": { cron: [{ name: "a", task: "custom" }] },
  "an unknown key of a job": { cron: [{ name: "a", schedule: "1h", task: "custom", scedule: "2h" }] },
  "an unknown policy of a job": { cron: [{ name: "a", schedule: "1h", task: "custom", overlap: "both" }] },
  "a negative grace": { cron: [{ name: "a", schedule: "1h", task: "custom", grace_s: -1 }] },
  "a configuration of a job that is a list": {
    cron: [{ name: "a", schedule: "1h", task: "custom", config: [] }],
  },
  "jobs that are a map": { cron: { a: {} } },
  "a pipeline without steps": { pipelines: { a: { cwd: "/" } } },
  "a step without a command": { pipelines: { a: { cwd: "/", steps: { b: {} } } } },
  "an unknown key of a step": { pipelines: { a: { cwd: "/", steps: { b: { run: "x", need: [] } } } } },
  "data of two sources": {
    pipelines: { a: { cwd: "/", data: { pattern: "a", command: "b" }, steps: { b: { run: "x" } } } },
  },
  "a variable without a name": { env: { allow: ["A-B"] } },
  "servers that are a list": { mcp_servers: [{ command: "x" }] },
  "a server without a way to it": { mcp_servers: { a: { env: {} } } },
  "a server with two ways to it": { mcp_servers: { a: { command: "x", url: "http://a" } } },
  "an unknown key of a server": { mcp_servers: { a: { command: "x", enviroment: {} } } },
  "a server without a program": { mcp_servers: { a: { command: [] } } },
  "a server whose name is none": { mcp_servers: { "a b": { command: "x" } } },
  "a hook object with an unknown condition": { hooks: [{ on_start: "a", when: { a: "b" } }] },
  "a hook object with a number": { on_start: 3 },
  "a hook object with a misspelt event": { on_start: "a", on_ende: "b" },
  "a type Claude Code has not": { hooks: { Stop: [{ hooks: [{ type: "script", command: "x" }] }] } },
};

for (const [says, document] of Object.entries(accepted)) {
  test(`loader and schema accept ${says}`, () => {
    assert.equal(
      problemOf(() => parse(JSON.stringify(document))),
      "no error",
    );
    assert.equal(isValid(configSchema, document), true);
  });
}

for (const [says, document] of Object.entries(refused)) {
  test(`loader and schema refuse ${says}`, () => {
    assert.match(
      problemOf(() => parse(JSON.stringify(document))),
      /^SWARM_CONFIG_INVALID /,
    );
    assert.equal(isValid(configSchema, document), false);
  });
}

test("every key has a text an editor can show", () => {
  const keys = Object.entries({ ...fileKeys, ...hookKeys, ...serverKeys });
  assert.deepEqual(
    keys.filter(([, { doc }]) => !/^[A-Za-z*].*\.$/.test(doc)).map(([name]) => name),
    [],
  );
});

test("every key a kind names is a key of a hook", () => {
  const named = kindNames.flatMap((kind) => [...kinds[kind].needs, ...kinds[kind].takes]);
  assert.deepEqual(
    named.filter((key) => !Object.hasOwn(hookKeys, key)),
    [],
  );
});

/** As much of JSON Schema as the schema uses; a keyword it does not know fails the test. */
function isValid(schema: unknown, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  return Object.entries(schema as JsonSchema).every(([keyword, expected]) => {
    const check = keywords[keyword];
    assert.ok(check, `keyword ${keyword} is checked`);
    return check(expected, value, schema as JsonSchema);
  });
}

type Check = (expected: unknown, value: unknown, schema: JsonSchema) => boolean;
const always: Check = () => true;
const list = (value: unknown) => value as unknown[];
const entries = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
const has = (value: unknown, key: string) => entries(value).some(([name]) => name === key);

const keywords: Readonly<Record<string, Check>> = {
  $schema: always,
  $id: always,
  $defs: always,
  title: always,
  description: always,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: always,
  $ref: (ref, value) =>
    isValid((configSchema.$defs as JsonSchema)[String(ref).replace("#/$defs/", "")], value),
  type: (type, value) =>
    [type].flat().some((name) => name === typeName(value) || (name === "integer" && Number.isInteger(value))),
  enum: (values, value) => list(values).includes(value),
  const: (expected, value) => value === expected,
  anyOf: (schemas, value) => list(schemas).some((schema) => isValid(schema, value)),
  oneOf: (schemas, value) => list(schemas).filter((schema) => isValid(schema, value)).length === 1,
  allOf: (schemas, value) => list(schemas).every((schema) => isValid(schema, value)),
  if: (condition, value, schema) => !isValid(condition, value) || isValid(schema.then, value),
  properties: (properties, value) =>
    entries(properties).every(([name, schema]) =>
      entries(value).every(([key, item]) => key !== name || isValid(schema, item)),
    ),
  required: (names, value) => list(names).every((name) => has(value, String(name))),
  additionalProperties: (schema, value, { properties }) =>
    entries(value).every(([key, item]) => has(properties, key) || isValid(schema, item)),
  propertyNames: (schema, value) => entries(value).every(([key]) => isValid(schema, key)),
  minProperties: (count, value) => entries(value).length >= Number(count),
  items: (schema, value) => !Array.isArray(value) || value.every((item) => isValid(schema, item)),
  minItems: (count, value) => !Array.isArray(value) || value.length >= Number(count),
  minLength: (count, value) => typeof value !== "string" || value.length >= Number(count),
  pattern: (pattern, value) => typeof value !== "string" || new RegExp(String(pattern), "u").test(value),
  minimum: (limit, value) => typeof value !== "number" || value >= Number(limit),
  maximum: (limit, value) => typeof value !== "number" || value <= Number(limit),
};

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
