import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parse } from "yaml";
import { addAsText, addToDocument, type HookGroup } from "./config-text.ts";

const group = (native: string, command: string): HookGroup => ({
  native,
  body: { matcher: "Bash", when: { source: "codex" }, hooks: [{ type: "command", command }] },
});

const groups = [group("PreToolUse", "echo 'a: b' # c"), group("Stop", "x"), group("PreToolUse", "y")];

const added = `  # moved
  PreToolUse:
    - matcher: Bash
      when:
        source: codex
      hooks:
        - type: command
          command: "echo 'a: b' # c"
    - matcher: Bash
      when:
        source: codex
      hooks:
        - type: command
          command: y
  Stop:
    - matcher: Bash
      when:
        source: codex
      hooks:
        - type: command
          command: x
`;

suite("groups are added as lines, and not a byte of the rest changes", () => {
  const whole: readonly (readonly [string, string, string])[] = [
    ["an empty file", "", `hooks:\n${added}`],
    ["remarks alone", "# mine", `# mine\nhooks:\n${added}`],
    ["a file without hooks", "env:   { allow: [A] } # a\n", `env:   { allow: [A] } # a\nhooks:\n${added}`],
    ["hooks that are all commented out", "hooks:\n  # - x\n", `hooks:\n${added}  # - x\n`],
    ["an empty list", "hooks:  []   # none\nenv: {}\n", `hooks:   # none\n${added}env: {}\n`],
    ["an empty map without an end of line", "hooks: {}", `hooks:\n${added}`],
  ];
  for (const [what, before, after] of whole) {
    test(what, () => assert.equal(addAsText(before, groups, "moved"), after));
  }

  test("a list, where each group names its event", () => {
    const before = `# mine
hooks:
- event: tool.before   # odd
  type:   command
  command: >
    a
    b

# about the rest
env:
    allow: [A]
`;
    const item = (native: string, command: string) => `- event: ${native}
  matcher: Bash
  when:
    source: codex
  hooks:
    - type: command
      command: ${command}
`;
    const items = `# moved
${item("PreToolUse", "\"echo 'a: b' # c\"")}${item("Stop", "x")}${item("PreToolUse", "y")}`;
    const at = before.indexOf("\n# about");
    assert.equal(addAsText(before, groups, "moved"), before.slice(0, at) + items + before.slice(at));
  });

  test("a map, in the lists of its events and after the last of them", () => {
    const before = `hooks:
    PreToolUse:
    - hooks: [{ type: command, command: own }]   # mine
    # about Notification
    Notification:
      - hooks:
          - { type: command, command: other }
sandbox: strict
`;
    const after = addAsText(before, groups, "moved") ?? assert.fail();
    const without = after
      .split("\n")
      .filter((line) => before.split("\n").includes(line))
      .join("\n");
    assert.equal(without, before);
    const { hooks, sandbox } = parse(after);
    assert.equal(sandbox, "strict");
    assert.deepEqual(Object.keys(hooks), ["PreToolUse", "Notification", "Stop"]);
    assert.deepEqual(
      hooks.PreToolUse.map((its: { hooks: { command: string }[] }) => its.hooks[0]?.command),
      ["own", "echo 'a: b' # c", "y"],
    );
  });

  test("lines end as the file's lines end", () => {
    const after = addAsText("hooks:\r\n  - { event: Stop, type: script, command: x }\r\n", groups, "moved");
    assert.doesNotMatch(after ?? "\n", /(?<!\r)\n/);
  });
});

test("what stands in braces takes more than lines, and is printed anew with its remarks", () => {
  const list = "# mine\nhooks: [{ event: Stop, type: script, command: x }] # one\n";
  assert.equal(addAsText(list, groups, "moved"), null);
  const printed = addToDocument(list, groups);
  assert.match(printed, /^# mine\n/);
  assert.match(printed, /# one/);
  assert.deepEqual(
    parse(printed).hooks.map(({ event }: { event: string }) => event),
    ["Stop", "PreToolUse", "Stop", "PreToolUse"],
  );
  const json = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "own"}]}]}}';
  assert.equal(addAsText(json, groups, "moved"), null);
  const { hooks } = parse(addToDocument(json, groups));
  assert.deepEqual([hooks.Stop.length, hooks.PreToolUse.length], [2, 2]);
  assert.equal(addAsText("hooks: { Stop: [] }\n", groups, "moved"), null);
});
