import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { deny } from "../events/answer.ts";
import { createHooks, openHooks } from "./create-hooks.ts";

const call = (tool_name: string) => ({ tool_name, tool_input: {} });

suite("a matcher with a tool's common name", () => {
  test("matches every agent's tool of that kind, and no other", () => {
    const hooks = createHooks();
    hooks.on("tool.before", { match: "shell|mcp:github/*" }, () => deny("no"));
    const verdictOf = (tool: string) => Object(hooks.emit("tool.before", call(tool))).decision.verdict;
    const denied = ["Bash", "run_shell_command", "exec_command", "shell", "mcp__github__create_issue"];
    assert.deepEqual(
      denied.map(verdictOf),
      denied.map(() => "deny"),
    );
    assert.deepEqual(["Read", "mcp__gitlab__x", "deploy"].map(verdictOf), ["none", "none", "none"]);
  });

  test("means nothing to a hook whose file has matcher rules of its own", () => {
    const { hooks, register } = openHooks();
    register("tool.before", { match: "shell", matchesOwnNamesOnly: true }, () => deny("no"), "command");
    assert.equal(Object(hooks.emit("tool.before", call("Bash"))).decision.verdict, "none");
    assert.equal(Object(hooks.emit("tool.before", call("shell"))).decision.verdict, "deny");
  });

  test("does not call a hook twice that matches both names", () => {
    const hooks = createHooks();
    let calls = 0;
    hooks.on("tool.before", { match: "Bash|shell" }, () => void calls++);
    hooks.emit("tool.before", call("Bash"));
    assert.equal(calls, 1);
  });
});
