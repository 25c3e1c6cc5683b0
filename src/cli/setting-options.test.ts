import assert from "node:assert/strict";
import { test } from "node:test";
import { settings } from "../operations/port/setting.ts";
import { readSettingOptions, settingOptions } from "./setting-options.ts";

const table = settings({
  name: { type: "string", isRequired: true, placeholder: "NAME", about: "Unique." },
  enabled: { type: "boolean", default: true, placeholder: null, about: "False: not due." },
  order: { type: "string", values: ["record", "completion"], default: "record", about: "Which comes first." },
  grace_s: { type: "integer", default: 120, about: "A slot no later than this runs." },
  max_errors: { type: "integer", default: null, otherwise: "none does", about: "More end it." },
  is_loud: { type: "boolean", default: false, about: "Rings." },
  config: { type: "object", default: {}, about: "What it needs." },
  cwd: {
    type: "string",
    placeholder: "FOLDER",
    isPath: true,
    otherwise: "SWARM_HOME",
    about: "Where it runs.",
  },
});

test("a setting is documented with its default, a number of seconds with its unit", () => {
  assert.deepEqual(Object.fromEntries(Object.entries(table).map(([name, { doc }]) => [name, doc])), {
    name: "Unique.",
    enabled: "False: not due. Default true.",
    order: "Which comes first. Default record.",
    grace_s: "A slot no later than this runs. Seconds, default 120.",
    max_errors: "More end it. Default: none does.",
    is_loud: "Rings. Default false.",
    config: "What it needs.",
    cwd: "Where it runs. Default: SWARM_HOME.",
  });
});

test("every setting is an option with what stands for its value, but for one that says it is none", () => {
  assert.deepEqual(settingOptions(table, { cwd: "this one" }), {
    name: "NAME  unique",
    order: "record|completion  which comes first; default record",
    grace: "SECONDS  a slot no later than this runs; default 120",
    "max-errors": "N  more end it; default none does",
    "is-loud": "true|false  rings; default false",
    config: "JSON  what it needs; @FILE reads it from a file",
    cwd: "FOLDER  where it runs; default this one",
  });
});

test("options become settings of their types, and what is none is said by the option's name", () => {
  const given = { grace: "5", "is-loud": "true", config: '{"a":1}', cwd: "/x/..", name: "n", other: "x" };
  assert.deepEqual(readSettingOptions("make", table, given), {
    name: "n",
    grace_s: 5,
    is_loud: true,
    config: { a: 1 },
    cwd: "/",
  });
  for (const [options, says] of [
    [{ grace: "soon" }, /--grace is "soon", expected a whole number/],
    [{ "is-loud": "yes" }, /--is-loud is "yes", expected true or false/],
    [{ config: "{" }, /--config is not JSON/],
    [{ config: "@/no/such/file" }, /--config is not JSON: ENOENT/],
  ] as const)
    assert.throws(() => readSettingOptions("make", table, options), says);
});
