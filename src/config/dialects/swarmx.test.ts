import assert from "node:assert/strict";
import { test } from "node:test";
import { hookObjectKeys } from "../../engine/hooks/hook-object.ts";
import { parse, refusal } from "../harness.cases.ts";

test("every event of a hook object is read, in a file, in a list and under hooks", () => {
  const entries = Object.fromEntries(hookObjectKeys.map((key) => [key, `tool_${key}`]));
  const events = [
    "session.start",
    "session.end",
    "tool.before",
    "tool.after",
    "subagent.start",
    "subagent.stop",
    "model.before",
    "model.after",
  ];
  for (const shape of [entries, { hooks: [entries] }, { hooks: entries }]) {
    const { hooks } = parse(JSON.stringify(shape));
    assert.deepEqual(
      hooks.map(({ event, nativeEvent, dialect }) => ({ event, nativeEvent, dialect })),
      events.map((event, index) => ({ event, nativeEvent: hookObjectKeys[index], dialect: "swarmx" })),
    );
  }
});

test("null is the same as absent", () => {
  assert.deepEqual(parse("on_start: null\non_end:\n").hooks, []);
});

test("an agent's hooks are an object that says whose they are, and which server has the tools", () => {
  const { hooks } = parse(`hooks:
  - { on_start: initialize, on_end: clean_up, when: { agent: MyAgent }, server: tools }
  - { on_end: count }
`);
  assert.deepEqual(
    hooks.map(({ event, when, action }) => ({ event, when, action })),
    [
      ["session.start", "initialize"],
      ["session.end", "clean_up"],
    ]
      .map(([event, tool]) => ({
        event,
        when: { agent: "MyAgent" } as object | null,
        action: { kind: "mcp_tool", server: "tools" as string | null, tool },
      }))
      .concat([
        {
          event: "session.end",
          when: null,
          action: { kind: "mcp_tool", server: null, tool: "count" },
        },
      ]),
  );
});

const refused: Readonly<Record<string, readonly [text: string, problem: string]>> = {
  "a misspelt event": [
    "on_start: a\non_tol_end: b\n",
    '2:1: unknown key "on_tol_end" in the hook object, did you mean "on_tool_end"?',
  ],
  "a tool's name that is a list": [
    "on_start: [a]\n",
    "1:11: on_start is a list, expected the name of a tool",
  ],
  "a tool's name that is empty": ['on_start: ""\n', '1:11: on_start is "", expected the name of a tool'],
  "a tool's name under an event of another shape": [
    "hooks:\n  task.created: check\n",
    '2:3: unknown key "task.created" in the hook object',
  ],
  "a misspelt condition": [
    "hooks:\n  - { on_start: a, wen: { agent: b } }\n",
    '2:20: unknown key "wen" in the hook object, did you mean "when"?',
  ],
  "a condition that is none": [
    "hooks:\n  - { on_start: a, when: { agnt: b } }\n",
    '2:28: unknown key "agnt" in when, did you mean "agent"?',
  ],
  "another key": ["on_start: a\nhooks: []\n", '2:1: unknown key "hooks" in the hook object'],
};

for (const [says, [text, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(text), problem);
  });
}
