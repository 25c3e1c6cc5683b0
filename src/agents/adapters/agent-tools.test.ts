import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { suite, test } from "node:test";
import { kindOfTool } from "../../engine/events/tools.ts";
import type { AgentName } from "../port/agents.ts";
import type { AgentTools } from "./agent-tools.ts";
import { claudeTools } from "./claude-code/tools.ts";
import { codexTools } from "./codex/tools.ts";
import { copilotTools } from "./copilot/tools.ts";
import { cursorTools } from "./cursor/tools.ts";
import { geminiTools } from "./gemini-cli/tools.ts";
import { adapters } from "./index.ts";
import { opencodeTools } from "./opencode/tools.ts";
import { qwenTools } from "./qwen-code/tools.ts";

const tables: Readonly<Record<AgentName, AgentTools>> = {
  "claude-code": claudeTools,
  codex: codexTools,
  "gemini-cli": geminiTools,
  "qwen-code": qwenTools,
  copilot: copilotTools,
  cursor: cursorTools,
  opencode: opencodeTools,
};
const offered = join(import.meta.dirname, "../../../test/agents/offered-tools");

/** `mcp:a/b`, or with how sure its spelling is: `mcp:a/b changed`. */
function read(agent: AgentName, tool_name: string, more: object = {}): string[] {
  const names = adapters[agent].toolNames({ tool_name, ...more });
  assert.ok(names !== undefined);
  return names.readings.map(({ name, spelling }) => (spelling === "exact" ? name : `${name} ${spelling}`));
}

suite("an agent's own tools", () => {
  for (const file of readdirSync(offered)) {
    const agent = basename(file, ".json") as AgentName;
    test(`of ${agent} are all known that it was seen to offer`, () => {
      const { tools } = JSON.parse(readFileSync(join(offered, file), "utf8")) as { tools: string[] };
      const unknown = tools.filter((name) => !tables[agent].builtIn.has(name.replace(/^.*::/, "")));
      assert.deepEqual(unknown, []);
    });
  }

  test("are of the same kind where the agent is not named", () => {
    for (const [agent, { builtIn }] of Object.entries(tables)) {
      for (const [name, kind] of builtIn) assert.equal(kindOfTool(name), kind, `${agent}: ${name}`);
    }
  });

  test("that run commands are shells, whatever they are called", () => {
    assert.deepEqual(read("claude-code", "Monitor"), ["shell"]);
    assert.deepEqual(read("qwen-code", "monitor"), ["shell"]);
    assert.deepEqual(read("codex", "exec_command"), ["shell"]);
    assert.deepEqual(read("copilot", "Bash"), ["shell"]);
  });

  test("of one agent may be an MCP server's of another", () => {
    assert.deepEqual(read("opencode", "apply_patch"), ["edit"]);
    assert.deepEqual(read("opencode", "read_file"), ["mcp:read/file changed", "read"]);
    assert.deepEqual(read("claude-code", "read_file"), ["read"]);
  });
});

// What the real agents made of server `my.server` and its tools, unless a comment says otherwise.
suite("the tool of an MCP server", () => {
  test("is named by Claude Code, whose server is told besides", () => {
    const told = (name: string) => ({ mcp_server: { name, source: "user" } });
    assert.deepEqual(read("claude-code", "mcp__my_server__do_it", told("my.server")), [
      "mcp:my.server/do_it changed",
    ]);
    assert.deepEqual(read("claude-code", "mcp__a__b__c__d", told("a__b")), ["mcp:a__b/c__d changed"]);
    // Older versions.
    assert.deepEqual(read("claude-code", "mcp__a__b__c"), ["mcp:a/b__c changed", "mcp:a__b/c changed"]);
    // Not seen: another way to write a server.
    assert.deepEqual(read("claude-code", "mcp__my_server__do_it", told("xn--my")), [
      "mcp:my_server/do_it changed",
      "mcp:xn--my/ cut",
    ]);
  });

  test("is named by Codex, with hashes where two were the same", () => {
    assert.deepEqual(read("codex", "mcp__probe__touch"), ["mcp:probe/touch changed"]);
    assert.deepEqual(read("codex", "mcp__my_server_84cd56981196__do_it_16755f1d1634"), [
      "mcp:my_server_84cd56981196/do_it_16755f1d1634 changed",
      "mcp:my_server_84cd56981196/do_it changed",
      "mcp:my_server/do_it_16755f1d1634 changed",
      "mcp:my_server/do_it changed",
    ]);
  });

  test("is told to hooks by Gemini CLI", () => {
    const told = { mcp_context: { server_name: "my.server", tool_name: "do it" } };
    assert.deepEqual(read("gemini-cli", "mcp_my.server_do_it", told), ["mcp:my.server/do it"]);
    // An MCP tool that has the name of one of its own.
    assert.deepEqual(read("gemini-cli", "write_file", told), ["mcp:my.server/do it"]);
    // Not seen: without it.
    assert.deepEqual(read("gemini-cli", "mcp_a_b"), [
      "mcp:a/b changed",
      "mcp:mcp/a_b changed",
      "mcp:mcp_a/b changed",
    ]);
    assert.ok(read("gemini-cli", "mcp_my.server_lll...lll_name").includes("mcp:my.server/lll cut"));
  });

  test("is named by Qwen Code, with a hash where something was replaced", () => {
    assert.deepEqual(read("qwen-code", "mcp__probe__touch"), ["mcp:probe/touch changed"]);
    assert.deepEqual(read("qwen-code", "mcp__my_server__do_it_1rhu72k"), [
      "mcp:my_server/do_it_1rhu72k changed",
      "mcp:my_server/do_it changed",
    ]);
    const cut = `mcp__probe__${"l".repeat(43)}_0fr32yy`;
    assert.equal(cut.length, 63);
    assert.ok(read("qwen-code", cut).includes(`mcp:probe/${"l".repeat(43)} cut`));
  });

  test("is joined with its server by Copilot CLI and OpenCode, and may be of any of several", () => {
    assert.deepEqual(read("copilot", "probe-touch"), ["mcp:probe/touch changed"]);
    assert.deepEqual(read("copilot", "a_b-c-d-e"), [
      "mcp:a_b/c-d-e changed",
      "mcp:a_b-c/d-e changed",
      "mcp:a_b-c-d/e changed",
    ]);
    assert.deepEqual(read("copilot", "My-Srv-xn--wgv71a"), ["mcp:My/Srv- cut", "mcp:My-Srv- cut"]);
    const long = `${"s".repeat(60)}-tou`;
    assert.deepEqual(read("copilot", long), [`mcp:${"s".repeat(60)}/tou cut`, `mcp:${long} cut`]);
    assert.deepEqual(read("opencode", "probe_touch"), ["mcp:probe/touch changed"]);
    assert.deepEqual(read("opencode", "a_b-c_d-e"), ["mcp:a/b-c_d-e changed", "mcp:a_b-c/d-e changed"]);
    assert.deepEqual(read("opencode", "deploy"), []);
  });

  test("has no server in most events of Cursor", () => {
    assert.deepEqual(read("cursor", "MCP:read"), ["mcp:?/read no_server"]);
    assert.deepEqual(read("cursor", "read", { mcp_server_name: "files" }), ["mcp:files/read"]);
  });

  test("is read as most agents write it where its own agent does not", () => {
    for (const agent of ["copilot", "cursor"] as const)
      assert.deepEqual(
        adapters[agent].toolNames?.({ tool_name: "mcp__files__read" })?.readings.map(({ name }) => name),
        ["mcp:files/read"],
      );
  });

  test("of a made-up name takes no time to read", () => {
    assert.ok(read("opencode", "_".repeat(100_000)).length <= 33);
  });
});
