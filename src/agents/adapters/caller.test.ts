import assert from "node:assert/strict";
import { test } from "node:test";
import type { NativeCall } from "../port/adapter.ts";
import { fixture } from "./answer-to.cases.ts";
import { adapterFor, adapters, callerOf } from "./index.ts";

const claude = fixture("claude-code", "captured/PreToolUse");
const codex = fixture("codex", "captured/PreToolUse");
const session = String(claude.session_id);
const claudeEnv = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session };
/** As Copilot, Qwen and others send it through Claude Code's settings. */
const stamped = {
  hook_event_name: "PreToolUse",
  session_id: "s",
  timestamp: "2026-11-15T19:10:08.609Z",
  cwd: "/workspace/project",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};
const projectDir = { CLAUDE_PROJECT_DIR: "/workspace/project" };

const callers: readonly (readonly [string, NativeCall, string | null])[] = [
  ["Claude Code's session", { payload: claude, env: claudeEnv }, "claude-code"],
  ["Claude Code's mark", { payload: claude, env: { CLAUDECODE: "1" } }, "claude-code"],
  ["Claude Code's name", { payload: claude, env: { AI_AGENT: "claude-code_2.1.325_cli" } }, "claude-code"],
  [
    "Claude Code in Copilot's shell",
    { payload: claude, env: { ...claudeEnv, COPILOT_CLI: "1", CURSOR_VERSION: "3" } },
    "claude-code",
  ],
  [
    "Claude Code's session, whatever fields it adds",
    { payload: { ...claude, turn_id: "t", model: "m" }, env: claudeEnv },
    "claude-code",
  ],
  ["CLAUDE_PROJECT_DIR alone", { payload: claude, env: projectDir }, null],
  [
    "another session's variables",
    { payload: claude, env: { ...claudeEnv, CLAUDE_CODE_SESSION_ID: "x" } },
    null,
  ],
  ["Codex's turn and model", { payload: { ...codex, transcript_path: null }, env: {} }, "codex"],
  ["Codex in Claude Code's shell", { payload: codex, env: { ...claudeEnv, ...projectDir } }, "codex"],
  [
    "Codex at the end of a session",
    { payload: fixture("codex", "captured/SessionEnd"), env: { CLAUDECODE: "1" } },
    "codex",
  ],
  ["Copilot", { payload: stamped, env: { ...projectDir, COPILOT_CLI: "1" } }, "copilot"],
  [
    "Copilot in Claude Code's shell",
    { payload: stamped, env: { CLAUDECODE: "1", COPILOT_CLI: "1" } },
    "copilot",
  ],
  [
    "Copilot in camelCase",
    { payload: { sessionId: "s", toolName: "bash", toolArgs: {} }, env: {} },
    "copilot",
  ],
  ["Cursor by its input", { payload: { ...claude, cursor_version: "3" }, env: projectDir }, "cursor"],
  ["Cursor by its variables", { payload: claude, env: { ...projectDir, CURSOR_VERSION: "3" } }, "cursor"],
  [
    "Qwen Code, which sets Gemini CLI's variables too",
    { payload: stamped, env: { QWEN_CODE_SESSION_ID: "s", GEMINI_SESSION_ID: "s" } },
    "qwen-code",
  ],
  [
    "Qwen Code by its folder",
    { payload: stamped, env: { QWEN_PROJECT_DIR: "/", GEMINI_PROJECT_DIR: "/" } },
    "qwen-code",
  ],
  ["Gemini CLI", { payload: stamped, env: { ...projectDir, GEMINI_PROJECT_DIR: "/" } }, "gemini-cli"],
  [
    "Gemini CLI by its events",
    { payload: { ...stamped, hook_event_name: "BeforeTool" }, env: {} },
    "gemini-cli",
  ],
  [
    "no time in what Codex sends",
    { payload: { ...stamped, turn_id: "t", model: "m" }, env: { QWEN_PROJECT_DIR: "/" } },
    "qwen-code",
  ],
  [
    "OpenCode, by what our plugin says",
    { payload: { host: "opencode", session_id: "s", timestamp: "" }, env: { COPILOT_CLI: "1" } },
    "opencode",
  ],
  ["nobody we know", { payload: stamped, env: {} }, null],
  [
    "an empty session that matches an empty variable",
    { payload: { session_id: "" }, env: { GEMINI_SESSION_ID: "" } },
    null,
  ],
];

for (const [name, call, expected] of callers) {
  test(`the caller is told by: ${name}`, () => {
    assert.equal(callerOf(call), expected);
    for (const { agent, recognises } of Object.values(adapters)) {
      assert.equal(recognises(call), expected === agent);
    }
  });
}

test("the true caller counts, and the name of the entry only where nothing tells", () => {
  assert.equal(adapterFor({ payload: codex, env: {} }, "claude-code"), adapters.codex);
  assert.equal(adapterFor({ payload: claude, env: claudeEnv }, "codex"), adapters["claude-code"]);
  assert.equal(adapterFor({ payload: claude, env: {} }, "claude-code"), adapters["claude-code"]);
  assert.equal(adapterFor({ payload: claude, env: {} }, "toString"), null);
  assert.equal(adapterFor({ payload: stamped, env: { COPILOT_CLI: "1" } }, "claude-code"), adapters.copilot);
  assert.equal(adapterFor({ payload: stamped, env: {} }, "unknown"), null);
});
