import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { commonToolName, toolKinds } from "./tools.ts";

suite("a tool's common name", () => {
  test("is its kind, whatever the agent calls it", () => {
    const names = [
      "Bash",
      "run_shell_command",
      "shell",
      "Write",
      "write_file",
      "apply_patch",
      "Read",
      "Grep",
      "WebFetch",
    ];
    const kinds = ["shell", "shell", "shell", "write", "write", "edit", "read", "search", "fetch"];
    assert.deepEqual(names.map(commonToolName), kinds);
    assert.deepEqual(toolKinds.map(commonToolName), [...toolKinds]);
  });

  test("of an MCP tool has server and tool", () => {
    assert.equal(commonToolName("mcp__github__create_issue"), "mcp:github/create_issue");
    assert.equal(commonToolName("mcp__a__b__c"), "mcp:a/b__c");
  });

  test("is none for a tool nobody knows, however it is called", () => {
    const unknown = ["deploy", "bAsh", "mcp__github", "", "constructor", "__proto__", "mcp____x"];
    assert.deepEqual(
      unknown.map(commonToolName),
      unknown.map(() => null),
    );
  });
});
