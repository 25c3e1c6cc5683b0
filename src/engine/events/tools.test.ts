import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { commonTool } from "./common-tool.ts";
import { readToolName } from "./tool-names.ts";
import { toolKinds } from "./tools.ts";

const commonToolName = (name: string) => readToolName(name).readings[0]?.name ?? null;

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
    const names = (name: string) => readToolName(name).readings.map((reading) => reading.name);
    assert.deepEqual(names("mcp__a__b__c"), ["mcp:a/b__c", "mcp:a__b/c"]);
    assert.deepEqual(names("mcp__a___b"), ["mcp:a/_b", "mcp:a_/b"]);
  });

  test("is none for a tool nobody knows, however it is called", () => {
    const unknown = ["deploy", "bAsh", "mcp__github", "", "constructor", "__proto__", "mcp____x"];
    assert.deepEqual(
      unknown.map(commonToolName),
      unknown.map(() => null),
    );
  });
});

suite("a tool call in common words", () => {
  const of = (tool_name: string, tool_input: unknown) => commonTool({ tool_name, tool_input });

  test("has the line a shell is given, however the agent gives it", () => {
    const line = { name: "shell", names: ["shell"], command: "ls -la", path: null, paths: [] };
    assert.deepEqual(of("Bash", { command: "ls -la" }), line);
    assert.deepEqual(of("exec_command", { cmd: "ls -la" }), line);
    assert.deepEqual(of("local_shell", { command: ["bash", "-lc", "ls -la"] }), line);
    assert.deepEqual(of("local_shell", { command: ["ls", "-la"] }), line);
  });

  test("has the paths its arguments name, and those a patch names", () => {
    assert.deepEqual(of("Write", { file_path: "/p/a", content: "x" })?.paths, ["/p/a"]);
    assert.deepEqual(of("read_many_files", { paths: ["a", "b"] })?.paths, ["a", "b"]);
    const patch =
      "*** Begin Patch\n*** Update File: src/a b.ts\r\n*** Move to: src/c.ts\n@@\n-x\n+*** Add File: no\n*** Add File: d\n*** Delete File: e\n*** End Patch";
    const edit = { name: "edit", names: ["edit"], command: null, path: "src/a b.ts" };
    assert.deepEqual(of("apply_patch", { command: patch }), {
      ...edit,
      paths: ["src/a b.ts", "src/c.ts", "d", "e"],
    });
    assert.deepEqual(of("apply_patch", { input: patch })?.paths.length, 4);
  });

  test("is none of what is no tool's, and makes nothing of arguments that are none", () => {
    assert.equal(commonTool({ prompt: "x" }), null);
    const nothing = { name: "shell", names: ["shell"], command: null, path: null, paths: [] };
    for (const input of [
      undefined,
      null,
      "ls",
      7,
      [],
      { command: { a: 1 } },
      Object.create({ command: "ls" }),
    ])
      assert.deepEqual(of("Bash", input), nothing);
  });
});
