import assert from "node:assert/strict";
import { test } from "node:test";
import type { OtherHook } from "../../port/adapter.ts";
import { portCodexHook } from "./port-hook.ts";

const own = (native: string, matcher?: string): OtherHook => ({
  place: { native, groupIndex: 0, hookIndex: 0 },
  group: matcher === undefined ? {} : { matcher },
  hook: { type: "command", command: "./check.sh" },
});

const matcherOf = (matcher: string, native = "PreToolUse") => {
  const ported = portCodexHook(own(native, matcher));
  return typeof ported === "string" ? ported : ported.group.matcher;
};

test("names that stand for another tool bring that tool along", () => {
  assert.equal(matcherOf("Write|Edit"), "Write|Edit|apply_patch");
  assert.equal(matcherOf("apply_patch|Write"), "apply_patch|Write");
  assert.equal(matcherOf("^(Write|Edit)$"), "^(Write|Edit)$|^apply_patch$");
  assert.equal(matcherOf("Ag.nt"), "Ag.nt|^spawn_agent$");
  assert.equal(matcherOf("Bash"), "Bash");
});

test("what is an expression for Codex and would be a list here stays an expression", () => {
  assert.equal(matcherOf("my-tool"), "(?:my-tool)");
  assert.equal(matcherOf("Bash, Write"), "(?:Bash, Write)");
  assert.equal(matcherOf("start-up", "SessionStart"), "(?:start-up)");
  assert.equal(matcherOf("startup|resume", "SessionStart"), "startup|resume");
});

test("a matcher that says always stays as it is", () => {
  for (const matcher of ["*", ""]) assert.equal(matcherOf(matcher), matcher);
  assert.deepEqual(portCodexHook(own("Stop")), { group: {}, hook: own("Stop").hook });
});

test("the second Codex gives a hook at the end of a session is written down", () => {
  const ported = portCodexHook(own("SessionEnd"));
  assert.deepEqual(typeof ported === "string" ? ported : ported.hook.timeout, 1);
});

test("an expression that only Codex can read is told apart", () => {
  assert.match(String(matcherOf("(?i)bash")), /is no regular expression here/);
});
