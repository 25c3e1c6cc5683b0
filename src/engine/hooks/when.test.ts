import assert from "node:assert/strict";
import { test } from "node:test";
import type { Origin } from "../events/envelope.ts";
import { compileWhen } from "./when.ts";

type Data = Readonly<Record<string, unknown>>;

interface Case {
  readonly says: string;
  readonly when: unknown;
  readonly data?: Data;
  readonly origin?: Origin;
  readonly holds: boolean;
}

const call = (tool_input: unknown, rest: Data = {}): Data => ({ tool_name: "Write", tool_input, ...rest });

const cases: readonly Case[] = [
  { says: "no condition holds always", when: {}, holds: true },
  { says: "agent is the origin's", when: { agent: "a1" }, origin: { agent: "a1" }, holds: true },
  { says: "agent is the payload's id", when: { agent: "a1" }, data: { agent_id: "a1" }, holds: true },
  { says: "agent is its name", when: { agent: "review*" }, data: { agent_name: "reviewer" }, holds: true },
  {
    says: "agent is its kind",
    when: { agent: "general-*" },
    data: { agent_type: "general-purpose" },
    holds: true,
  },
  {
    says: "agent is another",
    when: { agent: "a1" },
    data: { agent_id: "a2" },
    origin: { agent: "a3" },
    holds: false,
  },
  { says: "agent is unknown", when: { agent: "a1" }, holds: false },
  { says: "any agent, but there is none", when: { agent: "*" }, holds: false },
  { says: "agent is not text", when: { agent: "1" }, data: { agent_id: 1 }, holds: false },
  { says: "role is one of two", when: { role: "qa|backend" }, data: { role: "backend" }, holds: true },
  { says: "role is a third", when: { role: "qa|backend" }, data: { role: "frontend" }, holds: false },
  { says: "role is missing", when: { role: "qa" }, holds: false },
  {
    says: "source is the origin's",
    when: { source: "claude-code" },
    origin: { source: "claude-code" },
    holds: true,
  },
  { says: "source is the payload's", when: { source: "/^res/" }, data: { source: "resume" }, holds: true },
  { says: "source is another", when: { source: "codex" }, origin: { source: "claude-code" }, holds: false },
  {
    says: "path is below cwd of the origin",
    when: { path: "src/**" },
    data: call({ file_path: "/p/src/a.ts" }),
    origin: { cwd: "/p" },
    holds: true,
  },
  {
    says: "path is below cwd of the payload",
    when: { path: "src/**" },
    data: call({ file_path: "/p/src/a.ts" }, { cwd: "/p" }),
    holds: true,
  },
  {
    says: "the origin's cwd goes before the payload's",
    when: { path: "src/**" },
    data: call({ file_path: "/p/src/a.ts" }, { cwd: "/q" }),
    origin: { cwd: "/p" },
    holds: true,
  },
  {
    says: "path only looks like it",
    when: { path: "src/**" },
    data: call({ file_path: "src/../secrets/a" }),
    origin: { cwd: "/p" },
    holds: false,
  },
  {
    says: "path without a cwd is taken from the process",
    when: { path: "src/**" },
    data: call({ file_path: "src/a.ts" }),
    holds: true,
  },
  {
    says: "a second path argument counts too",
    when: { path: "src/**" },
    data: call({ path: "lib/a", file_path: "src/a" }),
    origin: { cwd: "/p" },
    holds: true,
  },
  {
    says: "path in a patch",
    when: { path: "**/.env" },
    data: {
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** Update File: config/.env\n+A=1\n*** End Patch" },
    },
    holds: true,
  },
  {
    says: "a shell's line, given as words, is its command",
    when: { args: { command: "/^rm /" } },
    data: { tool_name: "local_shell", tool_input: { command: ["bash", "-lc", "rm -r x"] } },
    holds: true,
  },
  {
    says: "path in notebook_path",
    when: { path: "*.ipynb" },
    data: call({ notebook_path: "a.ipynb" }),
    origin: { cwd: "/p" },
    holds: true,
  },
  {
    says: "path in absolute_path",
    when: { path: "/etc/*" },
    data: call({ absolute_path: "/etc/passwd" }),
    holds: true,
  },
  {
    says: "path in filePath",
    when: { path: "*.ts" },
    data: call({ filePath: "a.ts" }),
    origin: { cwd: "/p" },
    holds: true,
  },
  {
    says: "path in an argument that is no path",
    when: { path: "**" },
    data: call({ command: "src/a" }),
    holds: false,
  },
  { says: "path of a call without input", when: { path: "**" }, data: {}, holds: false },
  {
    says: "path that is only inherited",
    when: { path: "**" },
    data: call(Object.create({ path: "a" })),
    holds: false,
  },
  {
    says: "an argument matches",
    when: { args: { command: "rm *" } },
    data: call({ command: "rm -rf /" }),
    holds: true,
  },
  {
    says: "an argument does not match",
    when: { args: { command: "rm *" } },
    data: call({ command: "ls" }),
    holds: false,
  },
  { says: "an argument is missing", when: { args: { command: "*" } }, data: call({}), holds: false },
  {
    says: "an argument that is true",
    when: { args: { force: "true" } },
    data: call({ force: true }),
    holds: true,
  },
  { says: "an argument that is 42", when: { args: { depth: "42" } }, data: call({ depth: 42 }), holds: true },
  {
    says: "an argument that is an object",
    when: { args: { edit: "*" } },
    data: call({ edit: {} }),
    holds: false,
  },
  {
    says: "an argument that is null",
    when: { args: { edit: "null" } },
    data: call({ edit: null }),
    holds: false,
  },
  {
    says: "an argument that is only inherited",
    when: { args: { constructor: "*", toString: "*" } },
    data: call({}),
    holds: false,
  },
  {
    says: "both arguments match",
    when: { args: { a: "1", b: "/^x/" } },
    data: call({ a: 1, b: "xy" }),
    holds: true,
  },
  {
    says: "one of two arguments matches",
    when: { args: { a: "1", b: "/^x/" } },
    data: call({ a: 1, b: "y" }),
    holds: false,
  },
  { says: "no arguments asked for", when: { args: {} }, data: call({}), holds: true },
  { says: "tool input that is no object", when: { args: { a: "*" } }, data: call("a"), holds: false },
  {
    says: "every condition holds",
    when: { agent: "a*", role: "qa", source: "codex", path: "*.ts", args: { force: "true" } },
    data: call({ path: "a.ts", force: true }, { role: "qa" }),
    origin: { agent: "a1", source: "codex", cwd: "/p" },
    holds: true,
  },
  {
    says: "every condition but one holds",
    when: { agent: "a*", role: "qa", source: "codex", path: "*.ts", args: { force: "true" } },
    data: call({ path: "a.ts", force: true }, { role: "backend" }),
    origin: { agent: "a1", source: "codex", cwd: "/p" },
    holds: false,
  },
];

for (const { says, when, data = {}, origin, holds } of cases) {
  test(`${says}: ${holds ? "the hook is called" : "the hook is not called"}`, () => {
    const condition = compileWhen("hook x", when);
    assert.equal(condition(data, origin), holds);
    assert.equal(condition(data, origin), holds);
  });
}

test("a function gets the payload and the origin", () => {
  const given: unknown[] = [];
  const when = (...args: unknown[]) => given.push(...args) > 0;
  const data = { role: "qa" };
  const origin = { agent: "a1" };
  assert.equal(compileWhen("hook x", when)(data, origin), true);
  assert.deepEqual(given, [data, origin]);
});

const invalid: readonly (readonly [when: unknown, code: string, message: RegExp])[] = [
  [null, "SWARM_OPTION_INVALID", /^hook x: when is null, expected an object or a function$/],
  ["qa", "SWARM_OPTION_INVALID", /^hook x: when is "qa"/],
  [true, "SWARM_OPTION_INVALID", /^hook x: when is true/],
  [[], "SWARM_OPTION_INVALID", /^hook x: when is an array of 0/],
  [{ rol: "qa" }, "SWARM_OPTION_UNKNOWN", /^hook x: unknown option "when\.rol", did you mean "role"\?$/],
  [{ paths: "src/**" }, "SWARM_OPTION_UNKNOWN", /did you mean "path"/],
  [{ constructor: "x" }, "SWARM_OPTION_UNKNOWN", /"when\.constructor"/],
  [JSON.parse('{"__proto__":"x"}'), "SWARM_OPTION_UNKNOWN", /"when\.__proto__"/],
  [{ agent: "" }, "SWARM_MATCHER_INVALID", /^hook x: when\.agent: matcher "" is invalid/],
  [{ role: 1 }, "SWARM_MATCHER_INVALID", /^hook x: when\.role: matcher 1 is invalid/],
  [{ source: "/(/" }, "SWARM_MATCHER_INVALID", /^hook x: when\.source: matcher "\/\(\/"/],
  [{ role: undefined }, "SWARM_MATCHER_INVALID", /^hook x: when\.role: /],
  [{ path: 1 }, "SWARM_OPTION_INVALID", /^hook x: when\.path is 1, expected a path glob$/],
  [{ path: "src/[ab]" }, "SWARM_MATCHER_INVALID", /^hook x: when\.path: matcher /],
  [{ args: "x" }, "SWARM_OPTION_INVALID", /^hook x: when\.args is "x", expected an object$/],
  [{ args: null }, "SWARM_OPTION_INVALID", /^hook x: when\.args is null/],
  [{ args: [] }, "SWARM_OPTION_INVALID", /^hook x: when\.args is an array of 0/],
  [{ args: ["rm *"] }, "SWARM_OPTION_INVALID", /^hook x: when\.args is an array of 1/],
  [{ args: { command: "a||b" } }, "SWARM_MATCHER_INVALID", /^hook x: when\.args\.command: matcher "a\|\|b"/],
  [{ args: { force: true } }, "SWARM_MATCHER_INVALID", /^hook x: when\.args\.force: matcher true/],
];

for (const [when, code, message] of invalid) {
  test(`when: ${JSON.stringify(when)} is an error when it is loaded`, () => {
    assert.throws(() => compileWhen("hook x", when), { name: "SwarmError", code, message });
  });
}

test("each item of a list of paths is judged", () => {
  const holds = compileWhen("hook", { path: "secrets/**" });
  const data = (paths: unknown) => ({ tool_input: { paths }, cwd: "/srv" });
  assert.equal(holds(data(["src/a.ts", "secrets/key"]), undefined), true);
  assert.equal(holds(data(["src/a.ts", "src/../b"]), undefined), false);
});

test("a function that answers anything but true or false fails, even later", async () => {
  const later = compileWhen("hook x", async () => Promise.reject(new Error("later")));
  assert.throws(() => later({}, undefined), {
    code: "SWARM_OPTION_INVALID",
    message: /when\(\) is an object/,
  });
  assert.throws(() => compileWhen("hook x", () => "yes")({}, undefined), {
    message: /when\(\) is "yes", expected/,
  });
  // An unhandled rejection would end the test run here.
  await new Promise((resolve) => setImmediate(resolve));
});

test("a verdict is one of those that are given, and none before there is a decision", () => {
  const holds = (verdict: unknown, decided?: "deny" | "none") =>
    compileWhen("hook", { verdict })(
      {},
      undefined,
      decided && { verdict: decided, reason: null, hook: null, context: [], stop: null },
    );
  assert.deepEqual(
    [holds("deny", "deny"), holds(["ask", "deny"], "deny"), holds(["ask"], "deny"), holds("none", "none")],
    [true, true, false, true],
  );
  assert.equal(holds("none"), false);
  for (const wrong of ["denied", [], ["deny", 1], {}])
    assert.throws(() => compileWhen("hook", { verdict: wrong }), /when\.verdict/);
});
