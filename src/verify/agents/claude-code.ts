import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workplace } from "../workplace.ts";
import type { AgentProgram, RealSettings } from "./agent-program.ts";

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

  copySettings(settings, project, place) {
    for (const { scope, text } of settings) {
      const file = scope === "user" ? userFile(place) : join(place.project, ".claude/settings.json");
      copyKeys(text, file);
    }
    const local = join(project, ".claude/settings.local.json");
    if (existsSync(local)) {
      copyKeys(readFileSync(local, "utf8"), join(place.project, ".claude/settings.local.json"));
    }
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
    const off = files.filter(existsSync).some((file) => parsed(readFileSync(file, "utf8")).disableAllHooks);
    return off ? "Claude Code's settings have disableAllHooks: remove it" : null;
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

function copyKeys(text: RealSettings["text"], file: string): void {
  const known = Object.entries(parsed(text)).filter(([key]) => copiedKeys.includes(key));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(known), null, 2));
}

function parsed(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
