import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type FlagName,
  flagKeys,
  flagNames,
  flagsFromEnvironment,
  resolveFlag,
  withoutFlags,
} from "./flags.ts";
import { problemOf, refusal } from "./harness.cases.ts";

test("an override outweighs the environment, that the user's file, and that the default, for every flag", () => {
  for (const name of flagNames) {
    for (const value of [true, false]) {
      const [yes, no] = [{ [name]: value }, { [name]: !value }];
      const said = (override: object, environment: object, config: object) =>
        resolveFlag(name, override, environment, config);
      assert.deepEqual(said(yes, no, no), { value, from: "override" });
      assert.deepEqual(said({}, yes, no), { value, from: "environment" });
      assert.deepEqual(said({}, {}, yes), { value, from: "config" });
    }
    assert.equal(resolveFlag(name, {}, {}, {}).from, "default");
  }
});

test("by default hooks and the scheduler are on, and what costs or endangers something is off", () => {
  const defaults = Object.fromEntries(flagNames.map((name) => [name, resolveFlag(name, {}, {}, {}).value]));
  assert.deepEqual(defaults, {
    hooks_enabled: true,
    plugin_shell_hooks_enabled: false,
    cron_scheduler: true,
    metrics: false,
    traces: false,
  } satisfies Record<FlagName, boolean>);
});

test("a project's file may set none of them", () => {
  for (const name of flagNames) {
    assert.equal(flagKeys[name].isUsers, true);
    const said = refusal(`${name}: true\n`, { owner: "project" });
    assert.match(said, new RegExp(`^1:1: ${name} belongs in the user's config.yaml`));
  }
});

test("the environment sets them by name, in any of the usual words; empty says nothing", () => {
  for (const [text, value] of Object.entries({
    true: true,
    ON: true,
    1: true,
    False: false,
    off: false,
    0: false,
  }))
    assert.deepEqual(flagsFromEnvironment({ SWARM_FLAG_METRICS: text, PATH: "/bin" }), { metrics: value });
  assert.deepEqual(flagsFromEnvironment({ SWARM_FLAG_METRICS: "" }), {});
});

test("a flag that is misspelt in the environment, or set to no value of one, is an error", () => {
  assert.equal(
    problemOf(() => flagsFromEnvironment({ SWARM_FLAG_HOOK_ENABLED: "false" })),
    'SWARM_FLAG_UNKNOWN no flag "hook_enabled", did you mean "hooks_enabled"?',
  );
  assert.equal(
    problemOf(() => flagsFromEnvironment({ SWARM_FLAG_HOOKS_ENABLED: "nope" })),
    'SWARM_OPTION_INVALID environment: SWARM_FLAG_HOOKS_ENABLED is "nope", expected true or false',
  );
  assert.match(
    problemOf(() => flagsFromEnvironment({ SWARM_FLAG___PROTO__: "1" })),
    /^SWARM_FLAG_UNKNOWN/,
  );
});

test("an agent's environment can be taken without them", () => {
  assert.deepEqual(withoutFlags({ SWARM_FLAG_HOOKS_ENABLED: "false", SWARM_HOME: "/h" }), {
    SWARM_HOME: "/h",
  });
});
