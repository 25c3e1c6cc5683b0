import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { readDefinition } from "./definition.ts";
import { functionHooks, importFunctions } from "./function-hooks.ts";
import { folder, manifest, write } from "./harness.cases.ts";
import { readFolder } from "./read-folder.ts";

/** The hooks that this module registers. */
async function registered(t: TestContext, code: string, options: Record<string, unknown> = {}) {
  const files = { "swarm-plugin.json": manifest({ function_hooks: "hooks.mjs" }), "hooks.mjs": code };
  const root = write(folder(t), files);
  const definition = readDefinition(readFolder(root), root, () => root);
  const register = await importFunctions(definition);
  return { root, hooks: register === null ? [] : functionHooks(definition, register, options) };
}

test("a module registers functions as with createHooks, and each is a hook of the plugin", async (t) => {
  const { root, hooks } = await registered(
    t,
    `export function hooks({ on }, options) {
       on("PostToolUse", { name: "mask", match: "Read", priority: 10, onFailure: "deny" }, () => options.answer);
       on("tool.before", { mode: "guard", when: { path: "/etc/**" }, timeoutMs: 60_000 }, function judge() {});
       on("notification", { mode: "observe", onDenied: true, when: (data) => data.level === "x" }, () => {});
     }`,
    { answer: { context: "hi" } },
  );
  assert.deepEqual(
    hooks.map(
      ({ name, event, nativeEvent, match, mode, priority, onFailure, onDenied, timeoutMs, when, plugin }) => [
        name,
        event,
        nativeEvent,
        match,
        mode,
        priority,
        onFailure,
        onDenied,
        timeoutMs,
        when,
        plugin,
      ],
    ),
    [
      [
        "acme/mask",
        "tool.after",
        "PostToolUse",
        "Read",
        "transform",
        10,
        "deny",
        false,
        10_000,
        null,
        "acme",
      ],
      [
        "acme/judge#2",
        "tool.before",
        "tool.before",
        "*",
        "guard",
        0,
        "allow",
        false,
        60_000,
        { path: "/etc/**" },
        "acme",
      ],
      [
        "acme/function#3",
        "notification",
        "notification",
        "*",
        "observe",
        0,
        "allow",
        true,
        10_000,
        null,
        "acme",
      ],
    ],
  );
  const [mask, , observer] = hooks;
  assert.ok(mask?.action.kind === "function" && observer?.action.kind === "function");
  assert.equal(mask.source.file, join(root, "hooks.mjs"));
  assert.deepEqual(await mask.action.handler({}, {} as never), { context: "hi" });
  assert.equal(observer.action.condition?.({ level: "x" } as never, {} as never), true);
});

test("its options are a copy: what it does to them stays its own", async (t) => {
  const options = { list: [1] };
  await registered(
    t,
    "export const hooks = (_, options) => { options.list.push(2); options.x = 1; };",
    options,
  );
  assert.deepEqual(options, { list: [1] });
});

test("what it removes again is not called any more", async (t) => {
  const code =
    'export const hooks = ({ on }) => { on("Stop", { name: "n" }, () => ({ verdict: "deny" }))(); };';
  const { hooks } = await registered(t, code);
  assert.ok(hooks[0]?.action.kind === "function");
  assert.equal(hooks[0].action.handler({}, {} as never), undefined);
});

suite("refuses", () => {
  const refused: Readonly<Record<string, [string, RegExp]>> = {
    "a module with a mistake in it": ["export const hooks = (", /hooks.mjs cannot be loaded: SyntaxError/],
    "a module that throws": ["throw new Error('no')", /hooks.mjs cannot be loaded: Error: no$/],
    "a module without hooks": [
      "export const hook = () => {};",
      /exports hooks as undefined, expected a function$/,
    ],
    "hooks that throw": [
      "export const hooks = () => { throw new TypeError('x'); };",
      /hooks.mjs threw: TypeError: x$/,
    ],
    "an import that is not there": [
      'import "no-such-package";',
      /cannot be loaded: Error: Cannot find package/,
    ],
    "an event that does not exist": [
      'export const hooks = ({ on }) => on("tool.befor", () => {});',
      /unknown event "tool.befor", did you mean "tool.before"\?/,
    ],
    "an option that does not exist": [
      'export const hooks = ({ on }) => on("Stop", { onFailur: "deny" }, () => {});',
      /unknown option "onFailur", did you mean "onFailure"\?/,
    ],
    "more than sixty seconds": [
      'export const hooks = ({ on }) => on("Stop", { name: "n", timeoutMs: 60_001 }, () => {});',
      /its hook "acme\/n" has 60001 ms, expected at most 60 seconds$/,
    ],
    "a name used twice": [
      'export const hooks = ({ on }) => { for (const n of [1, 2]) on("Stop", { name: "n" }, () => {}); };',
      /"acme\/n" is already registered/,
    ],
    "what is not a function": [
      'export const hooks = ({ on }) => on("Stop", {}, "x");',
      /handler is "x", expected/,
    ],
  };
  for (const [what, [code, problem]] of Object.entries(refused))
    test(what, async (t) => {
      await assert.rejects(registered(t, code), (error: Error) => {
        assert.match(error.message, problem);
        return error.name === "SwarmError";
      });
    });
});
