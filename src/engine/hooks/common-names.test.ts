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

  test("matches whatever the tool may be, as its adapter reads the name", () => {
    const hooks = createHooks();
    hooks.on("tool.before", { match: "mcp:probe/*" }, () => deny("no"));
    const verdictOf = (...names: string[]) => {
      const readings = names.map((name) => ({ name, spelling: "changed" as const }));
      const origin = { toolNames: { readings, isBuiltIn: false } };
      return Object(hooks.emit("tool.before", call("a_b_c"), origin)).decision.verdict;
    };
    assert.equal(verdictOf("mcp:a/b_c", "mcp:a_b/c"), "none");
    assert.equal(verdictOf("mcp:a/b_c", "mcp:probe/c"), "deny");
    assert.equal(verdictOf(), "none");
    assert.equal(Object(hooks.emit("tool.before", call("a_b_c"))).decision.verdict, "none");
  });

  test("means a tool that is not known and takes a command, too, if it is shell", () => {
    const hooks = createHooks();
    hooks.on("tool.before", { match: "shell" }, () => deny("no"));
    const verdictOf = (tool_name: string, tool_input: object, isBuiltIn?: boolean) => {
      const origin = isBuiltIn === undefined ? {} : { toolNames: { readings: [], isBuiltIn } };
      return Object(hooks.emit("tool.before", { tool_name, tool_input }, origin)).decision.verdict;
    };
    const commands = [
      { command: "ls" },
      { cmd: ["ls"] },
      { script: "ls" },
      { line: "ls" },
      { program: "ls", args: [] },
      { code: "ls" },
      { shellCommand: "ls" },
      { command_line: "ls" },
      { CMD: "ls" },
    ];
    for (const input of commands) {
      const shown = JSON.stringify(input);
      assert.equal(verdictOf("terminal", input), "deny", shown);
      assert.equal(verdictOf("mcp__term__run", input), "deny", shown);
      assert.equal(verdictOf("terminal", input, false), "deny", shown);
      assert.equal(verdictOf("terminal", input, true), "none", shown);
      assert.equal(verdictOf("Write", input), "none", shown);
    }
    for (const input of [{}, { text: "ls" }, { line: "12" }, { line: "3-9" }, { code: 7 }]) {
      assert.equal(verdictOf("terminal", input), "none", JSON.stringify(input));
    }
  });

  test("does not call a hook twice that matches both names", () => {
    const hooks = createHooks();
    let calls = 0;
    hooks.on("tool.before", { match: "Bash|shell" }, () => void calls++);
    hooks.emit("tool.before", call("Bash"));
    assert.equal(calls, 1);
  });
});
