import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { place, policyOf, said, shell, toolCall } from "../../rules/harness.cases.ts";
import { typedLines } from "./typed-keys.ts";

test("keys make lines", () => {
  for (const [text, lines] of [
    ["ls", "ls"],
    ["git push{enter}ls{enter}", "git push\nls\n"],
    ["git{space}push", "git push"],
    ["git pusg{backspace}h", "git push"],
    ["{BACKSPACE}ls{Return}", "ls\n"],
    ["{up}{enter}", null],
    ["gi{tab} push", null],
    ["{ctrl-r}push", null],
    ["echo {a,b}", "echo {a,b}"],
  ] as const)
    assert.equal(typedLines(text), lines, text);
});

suite("what a tool types into a shell that runs already", () => {
  const policy = policyOf({ when: { detect: ["git_overwrites_remote"] } }, { when: { detect: ["opaque"] } });
  const typed = (input: string) =>
    said(policy.judge(toolCall("write_bash", { sessionId: "1", input }), place));

  test("is judged as a line", () => {
    assert.equal(typed("git push --force{enter}"), "deny r1");
    assert.equal(typed("git pusg{backspace}h -f\n"), "deny r1");
    assert.equal(typed("git status{enter}"), "none");
  });

  test("cannot be told where it depends on what stands there", () =>
    assert.equal(typed("{up}{enter}"), "deny r2"));

  for (const line of [
    "tmux send-keys -t x 'git push -f' Enter",
    "tmux send-keys -t x git Space push Space -f Enter",
    "tmux send -t x git Space 'push --force' C-m",
    "screen -S x -X stuff 'git push -f\\n'",
    "screen -S x -X stuff 'git push -f^M'",
  ]) {
    test(`is judged in ${line}`, () => assert.equal(said(policy.judge(shell(line), place)), "deny r1"));
  }
});
