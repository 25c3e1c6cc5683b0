import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workplace } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";

/**
 * Keys that decide whether and how hooks run. The others stay where they are: `env` could send the run to the
 * vendor, `apiKeyHelper` hand it a credential, `permissions` refuse the command before a hook is asked.
 */
const copiedKeys = [
  "hooks",
  "disableAllHooks",
  "allowManagedHooksOnly",
  "strictPluginOnlyCustomization",
  "allowedHttpHookUrls",
  "httpHookAllowedEnvVars",
];

export const claudeCode: AgentProgram = {
  agent: "claude-code",
  program: "claude",
  programVariable: "SWARM_VERIFY_CLAUDE",
  runsNewEntries: true,

  copySettings(settings, { project }, place) {
    for (const { scope, text } of settings) {
      copyKeys(text, scope === "user" ? userFile(place) : projectFile(place, ""));
    }
    const local = join(project, ".claude/settings.local.json");
    if (existsSync(local)) copyKeys(readFileSync(local, "utf8"), projectFile(place, ".local"));
  },

  homeEnv: ({ agentHome, temporary }) => ({
    CLAUDE_CONFIG_DIR: agentHome,
    CLAUDE_CODE_TMPDIR: temporary,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  }),

  headless: (prompt, modelAddress) => ({
    // The sentinel's tools need no leave of a person; that is a permission, and hooks are asked before it.
    args: ["-p", prompt, "--allowedTools", "Bash,Agent", "--strict-mcp-config", "--output-format", "json"],
    env: { ANTHROPIC_BASE_URL: modelAddress, ANTHROPIC_API_KEY: "none" },
  }),

  /** It has no word for it; what its settings say is all there is to know. */
  async objection({ place }) {
    const files = [userFile(place), ...["", ".local"].map((kind) => projectFile(place, kind))];
    const settings = files.filter(existsSync).map((file) => parsed(readFileSync(file, "utf8")));
    if (settings.includes(null)) {
      return "Claude Code ignores a settings file that is not plain JSON: remove comments and trailing commas";
    }
    const isOff = settings.some((keys) => keys?.disableAllHooks === true);
    return isOff ? "Claude Code's settings have disableAllHooks: remove it" : null;
  },

  shell: (command) => ({ tool: "Bash", input: { command, description: "swarm verify" } }),

  subagent: (prompt) => [
    {
      tool: "Agent",
      input: {
        description: "swarm verify",
        prompt,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    },
  ],

  hookCall: (command, cwd, callId) => ({
    payload: {
      session_id: "swarm-verify",
      transcript_path: join(cwd, "none.jsonl"),
      cwd,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "swarm verify" },
      tool_use_id: callId,
    },
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "swarm-verify", CLAUDE_PROJECT_DIR: cwd },
  }),
};

function userFile(place: Workplace): string {
  return join(place.agentHome, "settings.json");
}

function projectFile(place: Workplace, kind: string): string {
  return join(place.project, `.claude/settings${kind}.json`);
}

function copyKeys(text: string, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hookKeys(text));
}

function hookKeys(text: string): string {
  const keys = parsed(text);
  // Without a word, Claude Code takes nothing of a file with a comment in it: the copy must not be better.
  if (keys === null) return "the original is not plain JSON";
  const known = Object.entries(keys).filter(([key]) => copiedKeys.includes(key));
  return JSON.stringify(Object.fromEntries(known), null, 2);
}

/** As Claude Code reads it: strictly, but for a byte order mark. Null: not at all. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
  } catch {
    return null;
  }
}
