import assert from "node:assert/strict";
import { test } from "node:test";
import { readCodexState, stateKey } from "./codex-state.ts";

const key = "/home/u/.codex/hooks.json:pre_tool_use:0:0";

test("the trust in hooks is read as Codex writes it", () => {
  const { hooks, areHooksOff, trustedProjects } = readCodexState(`model = "gpt"

[projects."/src/app"]
trust_level = "trusted"

[projects."/src/other"]
trust_level = "untrusted"

[hooks.state]

[hooks.state."${key}"]
trusted_hash = "sha256:ab"

[hooks.state."/home/u/.codex/hooks.json:stop:1:0"]
enabled = false
trusted_hash = "sha256:cd"
`);
  assert.equal(areHooksOff, false);
  assert.deepEqual([...trustedProjects], ["/src/app"]);
  assert.deepEqual(Object.fromEntries(hooks), {
    [key]: { hasHash: true, isOff: false },
    "/home/u/.codex/hooks.json:stop:1:0": { hasHash: true, isOff: true },
  });
});

test("and as a person might", () => {
  const state = readCodexState(`features.hooks = false # not now
projects = { }
hooks.state.'${key}' = { trusted_hash = 'sha256:ab', enabled = false }
[projects]
"/a \\"b\\"" = { trust_level = "trusted" }
`);
  assert.equal(state.areHooksOff, true);
  assert.deepEqual([...state.trustedProjects], ['/a "b"']);
  assert.deepEqual(state.hooks.get(key), { hasHash: true, isOff: true });
  assert.equal(readCodexState("[features]\ncodex_hooks = false\n").areHooksOff, true);
  assert.equal(readCodexState("[features]\nhooks = true\n").areHooksOff, false);
});

test("what stands within a value, or is no TOML at all, says nothing", () => {
  const text = `note = """
[hooks.state."${key}"]
trusted_hash = "x"
"""
[hooks.state."${key}"]
trusted_hash = ""
]]][[ = =
`;
  assert.deepEqual(readCodexState(text).hooks.get(key), { hasHash: false, isOff: false });
});

test("a hook's place has the name Codex gives it", () => {
  const place = { native: "PreToolUse", groupIndex: 0, hookIndex: 0 };
  assert.equal(stateKey("/home/u/.codex/hooks.json", place), key);
  const other = { native: "UserPromptSubmit", groupIndex: 2, hookIndex: 1 };
  assert.equal(stateKey("/x", other), "/x:user_prompt_submit:2:1");
});
