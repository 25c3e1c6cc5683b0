// One repository, and what three agents would call its hooks by: Copilot CLI and Cursor read Claude Code's file too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { endOf, type Place, trustedPlace } from "./harness.ts";

const guards = `hooks:
  - event: tool.before
    type: command
    name: guard
    mode: guard
    on_failure: deny
    command: "grep -q forbidden && { echo not that >&2; exit 2; } || exit 0"
`;

type Hooks = Readonly<
  Record<
    string,
    readonly [
      { bash: string; command: string; hooks: readonly [{ command: string; args: readonly string[] }] },
    ]
  >
>;

function hooksIn({ project }: Place, file: string): Hooks {
  return JSON.parse(readFileSync(join(project, file), "utf8")).hooks;
}

interface Agent {
  /** The command lines it starts before a tool: from its own file and, unless it is Claude Code, from that one's without `args`. */
  lines(place: Place): readonly (string | undefined)[];
  readonly env: Readonly<Record<string, string>>;
  /** What each line gets on stdin. */
  payload(at: number, cwd: string, command: string): object;
  readonly denial: object;
}

const agents: Readonly<Record<string, Agent>> = {
  "claude-code": {
    lines: (place) => {
      const [entry] = hooksIn(place, ".claude/settings.json").PreToolUse?.[0].hooks ?? [];
      return [[entry?.command, ...(entry?.args ?? [])].join(" ")];
    },
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" },
    payload: (_, cwd, command) => ({
      hook_event_name: "PreToolUse",
      session_id: "s1",
      transcript_path: "/none.jsonl",
      cwd,
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: command,
    }),
    denial: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not that",
      },
    },
  },
  copilot: {
    lines: (place) => [
      hooksIn(place, ".github/hooks/swarm-hooks.json").preToolUse?.[0].bash,
      hooksIn(place, ".claude/settings.json").PreToolUse?.[0].hooks[0].command,
    ],
    env: { COPILOT_CLI: "1" },
    payload: (at, cwd, command) =>
      at === 0
        ? { sessionId: "s1", timestamp: 1_794_770_611_000, cwd, toolName: "bash", toolArgs: { command } }
        : {
            hook_event_name: "PreToolUse",
            session_id: "s1",
            timestamp: "2026-11-15T19:23:31.000Z",
            cwd,
            tool_name: "Bash",
            tool_input: { command },
          },
    denial: { permissionDecision: "deny", permissionDecisionReason: "not that" },
  },
  cursor: {
    lines: (place) => [
      hooksIn(place, ".cursor/hooks.json").preToolUse?.[0].command,
      hooksIn(place, ".claude/settings.json").PreToolUse?.[0].hooks[0].command,
    ],
    env: { CURSOR_VERSION: "3.2.0" },
    payload: (_, cwd, command) => ({
      hook_event_name: "preToolUse",
      conversation_id: "c1",
      generation_id: "g1",
      session_id: "c1",
      cursor_version: "3.2.0",
      workspace_roots: [cwd],
      tool_name: "Shell",
      tool_input: { command, cwd: "" },
      tool_use_id: command,
      cwd: "",
    }),
    denial: { permission: "deny", user_message: "not that", agent_message: "not that" },
  },
};

for (const hasDaemon of [true, false]) {
  suite(`one repository with the files of three agents, ${hasDaemon ? "with" : "without"} a daemon`, () => {
    for (const [name, { lines, env, payload, denial }] of Object.entries(agents)) {
      test(`${name} is answered in its own words by each, and each call is judged once`, async (t) => {
        const place = await trustedPlace(t, guards);
        const options = ["--scope", "project", "--yes"];
        await place.json("install", "claude-code", "copilot", "cursor", ...options);
        if (hasDaemon) await place.up();
        const ask = (line: string, at: number, command: string) => {
          const child = place.start("/bin/sh", ["-c", line], env);
          child.stdin?.end(JSON.stringify(payload(at, place.project, command)));
          return endOf(child);
        };
        for (const [at, line = ""] of lines(place).entries()) {
          const denied = await ask(line, at, "forbidden");
          assert.deepEqual([denied.status, JSON.parse(denied.stdout), denied.stderr], [0, denial, ""], line);
          const passed = await ask(line, at, "ls");
          assert.deepEqual([passed.status, passed.stderr], [0, ""], line);
          assert.doesNotMatch(passed.stdout, /deny/);
        }
        const { items } = await place.json<{ items: { verdict: string; source: string }[] }>(
          ...["audit", "log", "--event", "tool.before"],
        );
        assert.deepEqual(
          items.map(({ verdict, source }) => [verdict, source]),
          [
            ["none", name],
            ["deny", name],
          ],
        );
      });
    }
  });
}
