import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testNames } from "./policy-tests.ts";
import { place, policyOf, said, shell, toolCall } from "./harness.cases.ts";
import { compileCondition } from "./conditions/compile-when.ts";
import { narrowExceptions } from "./narrow-exception.ts";
import type { RuleException } from "./rule.ts";

const none: RuleException = { when: {}, line: null, input: null, folder: null, until: null, reason: null };
const noForce = (...except: Partial<RuleException>[]) =>
  policyOf({
    when: { command: ["git push --force"] },
    except: except.map((given) => ({ ...none, ...given })),
  });
const line = "git push --force origin mine";

suite("an exception", () => {
  const exact = noForce({ when: { tool: "shell" }, line, folder: "/srv/project" });
  const judged = (input: object, name = "Bash") => said(exact.judge(toolCall(name, input), place));

  test("of a line is of that line alone", () => {
    assert.equal(judged({ command: line }), "none");
    assert.equal(judged({ command: line, description: "push", timeout: 5 }), "none");
    assert.equal(judged({ command: line }, "run_shell_command"), "none");
    for (const other of [`${line};${line}`, `${line} x`, `cd /x && ${line}`, ` ${line}`, "git push --force"])
      assert.equal(judged({ command: other }), "deny r1", other);
  });

  test("of a line does not count where the tool is told more than the line", () => {
    for (const more of [{ workdir: "/x" }, { env: { X: "1" } }, { dangerouslyDisableSandbox: true }])
      assert.equal(judged({ command: line, ...more }), "deny r1", JSON.stringify(more));
  });

  test("counts in its own project, up to its time", () => {
    const elsewhere = { ...place, root: "/srv/other", cwd: "/srv/other" };
    assert.equal(said(exact.judge(shell(line), elsewhere)), "deny r1");
    const timed = noForce({ line, until: "1970-01-01T00:00:01Z" });
    assert.equal(said(timed.judge({ ...shell(line), nowMs: 999 }, place)), "none");
    assert.equal(said(timed.judge({ ...shell(line), nowMs: 1_000 }, place)), "deny r1");
  });

  test("by a condition holds as for a rule that allows: the whole line has to be covered", () => {
    const pattern = noForce({ when: { command: ["git push --force origin feature*"] } });
    const push = (text: string) => said(pattern.judge(shell(text), place));
    assert.equal(push("git push --force origin feature1"), "none");
    assert.equal(push("git push --force origin feature1; git push --force origin main"), "deny r1");
    assert.equal(push("git push --force origin feature1 $(git push --force origin main)"), "deny r1");
    assert.equal(push("X=1 git push --force origin feature1"), "deny r1");
  });

  test("of arguments is of exactly those", () => {
    const input = { file_path: "/srv/project/.env", content: "x" };
    const policy = policyOf({ when: { tool: "write" }, except: [{ ...none, input }] });
    const write = (given: object) => said(policy.judge(toolCall("Write", given), place));
    assert.equal(write(input), "none");
    assert.equal(write({ ...input, content: "y" }), "deny r1");
    assert.equal(write({ ...input, mode: 1 }), "deny r1");
  });

  test("of one rule leaves the others in force", () => {
    const policy = policyOf(
      { when: { command: ["git push --force"] }, except: [{ ...none, line }] },
      { when: { command: ["git push"] }, behaviour: "ask" },
    );
    assert.equal(said(policy.judge(shell(line), place)), "ask r2");
  });
});

test("the narrowest exceptions are one for each rule that refuses, for this line in this project", () => {
  const rules = Object.entries({ a: "git push --force", b: "git push", c: "rm" }).map(([id, pattern]) => {
    const when = { command: [pattern] };
    const rule = { id, when, behaviour: "deny", reason: null, priority: 0 } as const;
    const conditions = { command: compileCondition("command", when.command, "deny", testNames) };
    return { rule, conditions, source: { file: "f", line: 1, column: 1 } };
  });
  const given = { rules, place, names: testNames, until: "2027-01-01T00:00:00.000Z", reason: "why" };
  const exact = { folder: "/srv/project", until: given.until, reason: "why" };
  assert.deepEqual(narrowExceptions({ ...given, action: shell(line), tool: "shell" }), [
    { rule: "a", tool: "shell", line, ...exact },
    { rule: "b", tool: "shell", line, ...exact },
  ]);
  const input = { command: line, workdir: "/x" };
  assert.deepEqual(narrowExceptions({ ...given, action: toolCall("Bash", input) })[0], {
    rule: "a",
    tool: "Bash",
    input,
    ...exact,
  });
  assert.deepEqual(narrowExceptions({ ...given, action: shell("ls") }), []);
});

suite("a rule that is not enforced", () => {
  const force = { when: { command: ["git push --force"] } };
  const modes = policyOf({ ...force, mode: "shadow" }, { ...force, mode: "warn", behaviour: "ask" });

  test("changes no verdict, and what it would have said is there", () => {
    const { judgement, unenforced } = modes.review(shell(line), place);
    assert.equal(judgement, null);
    assert.deepEqual(
      unenforced.map(({ behaviour, rule }) => [behaviour, rule.id, rule.mode]),
      [
        ["deny", "r1", "shadow"],
        ["ask", "r2", "warn"],
      ],
    );
    assert.equal(modes.judge(shell(line), place), null);
  });

  test("does not stand in the way of one that is", () => {
    const policy = policyOf({ ...force, mode: "shadow" }, { ...force, behaviour: "ask" });
    assert.equal(said(policy.judge(shell(line), place)), "ask r2");
  });
});

test("a reason names the command that was found, not the pattern", () => {
  const policy = policyOf({ when: { command: ["kubectl|oc --context=prod"] }, reason: "production" });
  const judged = policy.judge(shell("cd x && kubectl get pods --context=prod -l 'app in (a)'"), place);
  assert.equal(judged?.reason, "production (kubectl get pods --context=prod -l 'app in (a)') [r1]");
});
