import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, refusal } from "./harness.cases.ts";
import { hookWarnings } from "./hook-warnings.ts";

const warningsOf = (hook: object, options = {}) =>
  parse(JSON.stringify({ hooks: [hook] }), options).hooks.flatMap(hookWarnings);
const program = (event: string, more: object) => ({ event, type: "command", command: "true", ...more });
const webhook = (more: object) => ({
  event: "task.completed",
  type: "webhook",
  url: "https://a.example/",
  ...more,
});

test("a webhook without a secret is sent unsigned, which is said unless the file says so itself", () => {
  assert.deepEqual(warningsOf(webhook({})), ["it is sent unsigned: give it a secret, or say unsigned: true"]);
  assert.deepEqual(warningsOf(webhook({ unsigned: true })), []);
  assert.deepEqual(warningsOf(webhook({ secret: "s" })), []);
});

const env = { env: { EMPTY: "", SET: "x" }, allowedVariables: ["EMPTY", "UNSET"] };
for (const [says, secret] of [
  ["is empty", ""],
  ["is nothing", null],
  ["is a variable that is empty", `$\{EMPTY}`],
  ["is a variable that is not set", `$\{UNSET}`],
  ["has no key after its mark", "whsec_"],
] as const) {
  for (const key of ["secret", "previous_secret"]) {
    for (const type of ["webhook", "http"]) {
      test(`a ${key} of a hook of type ${type} that ${says} is refused when the file is loaded`, () => {
        const hook = webhook({ type, secret: "s", [key]: secret });
        assert.match(refusal(JSON.stringify({ hooks: [hook] }), env), new RegExp(key));
      });
    }
  }
}

test("a service's form needs no signature, and what it is told has to fit together", () => {
  for (const format of ["slack", "discord", "teams"]) assert.deepEqual(warningsOf(webhook({ format })), []);
  const refused = [
    [{ format: "slak" }, /format is "slak", .*did you mean "slack"/],
    [{ format: "pagerduty" }, /format is pagerduty, expected a routing_key with it/],
    [{ format: "slack", routing_key: "k" }, /routing_key has no meaning without format: pagerduty/],
    [{ format: "slack", body: {} }, /format and body are both given/],
    [{ body: "x" }, /body is no map/],
    [{ type: "http", format: "slack" }, /format has no meaning for type http, only for webhook/],
    [{ when: { verdict: "denied" } }, /verdict/],
  ] as const;
  for (const [more, problem] of refused)
    assert.match(refusal(JSON.stringify({ hooks: [webhook(more)] })), problem);
  const guard = program("tool.before", { when: { verdict: "deny" } });
  assert.match(refusal(JSON.stringify({ hooks: [guard] })), /when has verdict, expected it in mode observe/);
});

const never = [
  ["tool.before", "git push", '"git push" has a space, which no tool\'s name has'],
  ["tool.before", "Write|NOTEBOOKEDIT", 'no agent\'s tool is called "NOTEBOOKEDIT", but "NotebookEdit"'],
  ["tool.before", "Bsah", 'no agent\'s tool is called "Bsah", but "Bash"'],
  ["tool.after", "Read|TodoWrit", 'no agent\'s tool is called "TodoWrit", but "TodoWrite"'],
  ["tool.failed", "shel", 'no agent\'s tool is called "shel", but "shell"'],
  ["tool.before", "mcp__github", '"mcp__github" is a server\'s name; its tools are mcp__github__*'],
  ["session.start", "Bash", "the source of session.start is startup, resume, clear, compact, fork"],
  ["compaction.before", "automatic", "the trigger of compaction.before is manual, auto"],
] as const;

for (const [event, match, why] of never) {
  test(`the matcher ${match} for ${event} is warned of: it never matches`, () => {
    assert.deepEqual(warningsOf(program(event, { match })), [
      `match ${JSON.stringify(match)} never matches: ${why}`,
    ]);
  });
}

for (const [event, match] of [
  ["tool.before", "Bash"],
  ["tool.before", "Task|TodoWrite|update_plan|task"],
  ["tool.before", "*"],
  ["tool.before", "Bsah*"],
  ["tool.before", "/Bsah/"],
  ["tool.before", "mcp__shel__red"],
  ["tool.before", "charge_card|lookup_customer|deploy"],
  ["tool.before", "shell|write|edit"],
  ["tool.before", "mcp:github/*"],
  ["tool.before", "mcp__github__*"],
  ["tool.before", "my_own_tool|Bash*"],
  ["tool.after", "/^mcp__.*/"],
  ["session.start", "startup|resume"],
  ["task.created", "back end"],
] as const) {
  test(`the matcher ${match} for ${event} is not warned of`, () => {
    assert.deepEqual(warningsOf(program(event, { match })), []);
  });
}

test("a permission rule in the place of a matcher is warned of in a file of Claude Code's shape", () => {
  const group = { matcher: "Bash(git push *)", hooks: [{ type: "command", command: "true" }] };
  const { hooks } = parse(JSON.stringify({ hooks: { PreToolUse: [group] } }));
  assert.deepEqual(hooks.flatMap(hookWarnings), [
    'match "/Bash(git push *)/" never matches: it is compared with the tool\'s name alone; write Bash, and what its arguments have to be under when',
  ]);
});

test("conditions on a tool's arguments are warned of where there is no tool", () => {
  const when = { args: { command: "ls" }, path: "src/**" };
  assert.deepEqual(warningsOf(program("session.start", { when })), [
    "when.path never holds: session.start has no tool with arguments",
    "when.args never holds: session.start has no tool with arguments",
  ]);
  assert.deepEqual(warningsOf(program("tool.before", { when })), []);
});
