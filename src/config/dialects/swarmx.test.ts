import assert from "node:assert/strict";
import { test } from "node:test";
import { hookObjectKeys } from "../../hooks/hook-object.ts";
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
  "another key": ["on_start: a\nhooks: []\n", '2:1: unknown key "hooks" in the hook object'],
};

for (const [says, [text, problem]] of Object.entries(refused)) {
  test(`${says} is refused at its place`, () => {
    assert.equal(refusal(text), problem);
  });
}
