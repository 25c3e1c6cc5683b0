import assert from "node:assert/strict";
import { test } from "node:test";
import { claudeSettings } from "./settings.ts";

const program = "/home/user/.swarm/bin/swarm-hook";

const before = `{
    // what I use
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] } // mine
        ]
    },
    "env": { "A": "1" }
}
`;

const after = `{
    // what I use
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] }, // mine
            {
                "matcher": "*",
                "hooks": [
                    {
                        "type": "command",
                        "command": "${program}",
                        "args": [
                            "claude-code",
                            "--guard"
                        ],
                        "timeout": 60,
                        "onFailure": "block"
                    }
                ]
            }
        ],
        "Stop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "${program}",
                        "args": [
                            "claude-code"
                        ],
                        "timeout": 60
                    }
                ]
            }
        ]
    },
    "env": { "A": "1" }
}
`;

const wanted = [
  { native: "PreToolUse", argv: [program, "claude-code", "--guard"], timeoutS: 60 },
  { native: "Stop", argv: [program, "claude-code"], timeoutS: 60 },
] as const;

test("hooks are added to a file in its own style, after the user's, whose comments stay where they are", () => {
  assert.equal(claudeSettings.install(before, wanted), after);
  assert.equal(claudeSettings.uninstall(after), before);
  assert.deepEqual(claudeSettings.installed(after), [
    { ...wanted[0], place: { native: "PreToolUse", groupIndex: 1, hookIndex: 0 } },
    { ...wanted[1], place: { native: "Stop", groupIndex: 0, hookIndex: 0 } },
  ]);
});

test("on one line they stay on it", () => {
  const text = claudeSettings.install('{"model":"opus"}', wanted.slice(1));
  assert.equal(
    text,
    `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"${program}","args":["claude-code"],"timeout":60}]}]}}`,
  );
});

test("the user's own hooks can be listed as they are", () => {
  assert.deepEqual(claudeSettings.others(after), [
    {
      place: { native: "PreToolUse", groupIndex: 0, hookIndex: 0 },
      group: { matcher: "Bash" },
      hook: { type: "command", command: "./check.sh" },
    },
  ]);
  assert.deepEqual(
    claudeSettings.others('{"hooks": {"Stop": [{"hooks": [{"type": "prompt"}]}, 7], "X": 1}}'),
    [
      {
        place: { native: "Stop", groupIndex: 0, hookIndex: 0 },
        group: {},
        hook: { type: "prompt" },
      },
    ],
  );
});

test("a line for the shell is known as ours too", () => {
  const text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"swarm hook claude-code"}]}]}}';
  assert.deepEqual(claudeSettings.installed(text), [
    {
      native: "Stop",
      argv: ["swarm", "hook", "claude-code"],
      timeoutS: 0,
      place: { native: "Stop", groupIndex: 0, hookIndex: 0 },
    },
  ]);
});

test("a file whose hooks are not run is told apart", () => {
  assert.equal(claudeSettings.whyInert('\ufeff{"hooks": {}}'), null);
  assert.match(String(claudeSettings.whyInert('{"hooks": {},}')), /comments or trailing commas/);
  assert.match(String(claudeSettings.whyInert('{"disableAllHooks": true}')), /disableAllHooks/);
});
