import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { place, policyOf, said, shell } from "../../rules/harness.cases.ts";
import { readingsOf } from "./control-characters.ts";

suite("control characters in a line", () => {
  const policy = policyOf({ when: { detect: ["git_overwrites_remote"] } }, { when: { detect: ["opaque"] } });

  for (const line of [
    "git push --force\u0000",
    "git push --force\u0000 || ls",
    "git push --forc\u0000e",
    "git\u0000push\u0000--force",
    "git push \u0000--force",
    "git status\rgit push -f",
    "git push -f\r",
    "git push --for\u0007ce",
    "git push\u001b--force",
    "git push --force\u007f",
    "git push --force\u0085",
    "\u0000git push --force",
    "sh -c 'git push --for\u0000ce'",
    "git push $'--force\\0x'",
  ]) {
    test(`do not hide what ${JSON.stringify(line)} runs`, () =>
      assert.equal(said(policy.judge(shell(line), place)), "deny r1"));
  }

  test("make a line opaque, whatever else it does", () =>
    assert.equal(said(policy.judge(shell("ls\u0000"), place)), "deny r2"));

  test("that end or indent lines leave one reading", () => {
    assert.deepEqual(readingsOf("a\n\tb\r\nc"), ["a\n\tb\nc"]);
    assert.equal(said(policy.judge(shell("ls\r\n\tpwd\n"), place)), "none");
  });
});
