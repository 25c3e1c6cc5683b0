import assert from "node:assert/strict";
import { test } from "node:test";
import { hookConfig } from "./codex-config.ts";

const moved = [
  ["/home/u/.codex", "/tmp/w/agent"],
  ["/src/app", "/tmp/w/project"],
] as const;

test("the trust in a hook moves with its file, hash and all", () => {
  const text = `model = "gpt"

[hooks.state]

[hooks.state."/home/u/.codex/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:ab"

[hooks.state."/elsewhere/.codex/hooks.json:stop:0:0"]
enabled = false
`;
  assert.equal(
    hookConfig(text, moved),
    `[hooks.state]

[hooks.state."/tmp/w/agent/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:ab"

[hooks.state."/elsewhere/.codex/hooks.json:stop:0:0"]
enabled = false

`,
  );
});

test("hooks declared in the file are copied as they are: their text is part of what was trusted", () => {
  const text = `[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "sh \\"/home/u/.codex/check.sh\\""
`;
  assert.equal(hookConfig(text, moved), `${text}\n`);
});

test("providers, servers, exporters and programs to notify stay out", () => {
  const text = `notify = ["say", "done"]
[mcp_servers.git]
command = "git-mcp"
[model_providers.x]
base_url = "https://example.org"
[otel]
exporter = "otlp"
`;
  assert.equal(hookConfig(text, moved), "");
});

test("of the features only the switch for hooks is copied", () => {
  const text = "[features]\nplugins = true\nhooks = false\nmulti_agent = true\n";
  assert.equal(hookConfig(text, moved), "[features]\nhooks = false\n");
  assert.equal(hookConfig("features.hooks = false\nmodel = 'x'\n", moved), "features.hooks = false\n");
});

test("the trust in the project moves, that in others stays out", () => {
  const text = `[projects."/src/app"]
trust_level = "trusted"
[projects."/src/app/other"]
trust_level = "trusted"
`;
  assert.equal(hookConfig(text, moved), '[projects."/tmp/w/project"]\ntrust_level = "trusted"\n');
});

test("a line within a value is no header", () => {
  const text = `instructions = """
[hooks.state]
"""
matrix = [
  ["hooks"],
  ["x"]
]
[hooks.state."k"]
trusted_hash = '''
[features]
'''
`;
  assert.equal(hookConfig(text, moved), `[hooks.state."k"]\ntrusted_hash = '''\n[features]\n'''\n\n`);
});

test("keys with dots before the first table are copied with all their lines", () => {
  const text = `hooks.PreToolUse = [
  { hooks = [{ type = "command", command = "x" }] },
]
profile = "work"
`;
  assert.equal(
    hookConfig(text, moved),
    `hooks.PreToolUse = [\n  { hooks = [{ type = "command", command = "x" }] },\n]\n`,
  );
});
