import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { AgentReport, CallClass } from "../../src/agents/verify/check.ts";
import type { RealAgent } from "./install-agents.ts";
import type { Person } from "./person.ts";

/** Something that makes a guard let calls pass while our entry still stands in the agent's settings. */
export interface Fooling {
  readonly title: string;
  /** Does it, and returns variables for the shell `swarm` is started in. */
  readonly apply: (person: Person) => Readonly<Record<string, string>>;
  /** Kinds of calls that pass; the others are enforced, or not tried. */
  readonly inert: readonly CallClass[];
  /** What swarm doctor says. */
  readonly doctor: RegExp;
}

/** A mode in which the agent has no MCP servers either. */
const allButServers: readonly CallClass[] = ["shell", "write", "edit", "subagent"];
const all: readonly CallClass[] = ["shell", "write", "edit", "mcp", "subagent"];
const allButShell: readonly CallClass[] = ["write", "edit", "mcp", "subagent"];

/** Each is tried by itself on settings that are whole, and undone by the files' old bytes. */
export const foolings: Readonly<Record<RealAgent, readonly Fooling[]>> = {
  "claude-code": [
    {
      title: "CLAUDE_CODE_SIMPLE in env of its settings",
      apply: (person) =>
        settings(person, ".claude/settings.json", (text) => ({ ...text, env: { CLAUDE_CODE_SIMPLE: "1" } })),
      inert: all,
      doctor: /its env has CLAUDE_CODE_SIMPLE=1/,
    },
    {
      title: "CLAUDE_CODE_SIMPLE in the shell",
      apply: () => ({ CLAUDE_CODE_SIMPLE: "1" }),
      inert: all,
      doctor: /CLAUDE_CODE_SIMPLE=1 is set in this shell/,
    },
    {
      title: "a matcher for the shell tool",
      apply: (person) => entry(person, ".claude/settings.json", "PreToolUse", { matcher: "Bash" }, {}),
      inert: allButShell,
      doctor: /its matcher is "Bash"/,
    },
    {
      title: "a condition that fits some commands",
      apply: (person) => entry(person, ".claude/settings.json", "PreToolUse", {}, { if: "Bash(printf *)" }),
      inert: all,
      doctor: /it has if: "Bash\(printf \*\)"/,
    },
    {
      title: "an answer that is not waited for",
      apply: (person) => entry(person, ".claude/settings.json", "PreToolUse", {}, { async: true }),
      inert: all,
      doctor: /it has async: true/,
    },
    {
      title: "disableAllHooks in settings.local.json",
      apply: (person) =>
        settings(person, "project/.claude/settings.local.json", () => ({ disableAllHooks: true })),
      inert: all,
      doctor: /settings\.local\.json: it has disableAllHooks/,
    },
    {
      title: "a client that allows everything",
      apply: replaceClient,
      inert: all,
      doctor: /swarm-hook is not the program that swarm install made/,
    },
  ],
  codex: [
    {
      title: "hooks that are off in its features",
      apply: ({ home }) => {
        const file = join(home, ".codex/config.toml");
        writeFileSync(file, `${readFileSync(file, "utf8")}\n[features]\nhooks = false\n`);
        return {};
      },
      inert: all,
      doctor: /hooks are off in .*config\.toml/,
    },
    {
      title: "a client that allows everything",
      apply: replaceClient,
      inert: all,
      doctor: /swarm-hook is not the program that swarm install made/,
    },
  ],
  "gemini-cli": [
    {
      title: "a matcher for the shell tool",
      apply: (person) =>
        entry(person, ".gemini/settings.json", "BeforeTool", { matcher: "run_shell_command" }, {}),
      inert: allButShell,
      doctor: /its matcher is "run_shell_command"/,
    },
    {
      title: "hooks that are off in the project's settings",
      apply: (person) =>
        settings(person, "project/.gemini/settings.json", () => ({ hooksConfig: { enabled: false } })),
      inert: all,
      doctor: /project\/\.gemini\/settings\.json: it has hooksConfig\.enabled: false/,
    },
  ],
  "qwen-code": [
    {
      title: "disableAllHooks in the project's settings",
      apply: (person) => settings(person, "project/.qwen/settings.json", () => ({ disableAllHooks: true })),
      inert: all,
      doctor: /project\/\.qwen\/settings\.json: it has disableAllHooks/,
    },
    {
      title: "QWEN_CODE_SIMPLE in a file .env of the project",
      apply: ({ project }) => {
        writeFileSync(join(project, ".env"), "QWEN_CODE_SIMPLE=1\n");
        return {};
      },
      inert: allButServers,
      doctor: /project\/\.env: it has QWEN_CODE_SIMPLE=1/,
    },
    {
      title: "QWEN_CODE_SAFE_MODE in env of its settings",
      apply: (person) =>
        settings(person, ".qwen/settings.json", (text) => ({ ...text, env: { QWEN_CODE_SAFE_MODE: "1" } })),
      inert: allButServers,
      doctor: /its env has QWEN_CODE_SAFE_MODE=1/,
    },
    {
      title: "a matcher for the shell tool",
      apply: (person) =>
        entry(person, ".qwen/settings.json", "PreToolUse", { matcher: "run_shell_command" }, {}),
      inert: allButShell,
      doctor: /its matcher is "run_shell_command"/,
    },
    {
      title: "an answer that is not waited for",
      apply: (person) => entry(person, ".qwen/settings.json", "PreToolUse", {}, { async: true }),
      inert: all,
      doctor: /it has async: true/,
    },
  ],
  copilot: [".github/copilot/settings.json", ".claude/settings.json"]
    .map(
      (file): Fooling => ({
        title: `disableAllHooks in ${file} of the repository`,
        apply: (person) => {
          // Of a repository it does not trust it takes nothing.
          settings(person, ".copilot/config.json", () => ({ trustedFolders: [person.project] }));
          return settings(person, join("project", file), () => ({ disableAllHooks: true }));
        },
        inert: all,
        doctor: /project\/.*settings\.json: it has disableAllHooks/,
      }),
    )
    .concat([
      {
        title: "a matcher for the shell tool",
        apply: (person) =>
          entry(person, ".copilot/hooks/swarm-hooks.json", "preToolUse", { matcher: "bash" }, {}),
        inert: allButShell,
        doctor: /its matcher is "bash"/,
      },
    ]),
  opencode: [
    {
      title: "OPENCODE_PURE in the shell",
      apply: () => ({ OPENCODE_PURE: "1" }),
      inert: all,
      doctor: /OPENCODE_PURE=1 is set in this shell/,
    },
    {
      title: "a plugin with other code",
      apply: ({ home }) => {
        const file = join(home, ".config/opencode/plugin/swarm-hooks.js");
        writeFileSync(file, readFileSync(file, "utf8").replace(/throw /g, "void "));
        return {};
      },
      inert: all,
      doctor: /the code of its plugin is not what swarm install writes/,
    },
  ],
};

function replaceClient({ home }: Person): Record<string, string> {
  const client = join(home, ".swarm/bin/swarm-hook");
  rmSync(client);
  writeFileSync(client, "#!/bin/sh\nexit 0\n");
  chmodSync(client, 0o700);
  return {};
}

type Keys = Record<string, unknown>;

function settings({ home }: Person, file: string, change: (keys: Keys) => Keys): Record<string, string> {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(change(parsed(path))));
  return {};
}

/** Adds keys to our entry for an event, in its group and in its hook; where there are no groups they are one. */
function entry(
  person: Person,
  file: string,
  native: string,
  group: Keys,
  hook: Keys,
): Record<string, string> {
  return settings(person, file, (keys) => {
    const [own] = (keys.hooks as Record<string, [Keys]>)[native] ?? [];
    Object.assign(own ?? {}, group);
    Object.assign((own?.hooks as [Keys] | undefined)?.[0] ?? own ?? {}, hook);
    return keys;
  });
}

function parsed(path: string): Keys {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Keys;
  } catch {
    return {};
  }
}

/** Every way to fool a guard that is known is seen by `swarm verify`, in the right kind of call, and named by `swarm doctor`. */
export function fooledCases(agent: RealAgent, person: Person): void {
  for (const { title, apply, inert, doctor } of foolings[agent]) {
    test(`${title}: seen by verify, and named by doctor`, () => {
      const undo = person.remember();
      try {
        const shell = apply(person);
        const { status, reports } = person.with(shell).verify(agent);
        const [{ verdict, calls, checks }] = reports as [AgentReport];
        const seen = {
          status,
          verdict,
          inert: Object.keys(calls).filter((name) => calls[name as CallClass] === "INERT"),
        };
        const tried = inert.filter((name) => calls[name] !== "not tried");
        assert.deepEqual(
          seen,
          { status: 1, verdict: "INERT", inert: tried },
          JSON.stringify(checks, null, 2),
        );
        const told = person.with(shell).swarm("doctor");
        assert.equal(told.status, 1);
        assert.match(told.stdout, doctor);
      } finally {
        undo();
      }
    });
  }
}
