import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { McpServer, Workplace } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";
import { decidingVariables } from "./deciding-variables.ts";

/**
 * Keys that decide whether and how hooks run, besides `env`. The others stay where they are: `apiKeyHelper` could hand the
 * run a credential, `permissions` refuse the command before a hook is asked.
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

  variables: /^(CLAUDE_|DISABLE_|ENABLE_|BASH_|MCP_)/,

  headless: (prompt, modelAddress, { server } = {}) => ({
    args: [
      ...["-p", prompt, "--output-format", "json"],
      // The sentinel's tools need no leave of a person; that is a permission, and hooks are asked before it.
      ...["--allowedTools", ["Bash,Agent,Read,Write,Edit", ...serverTools(server)].join(",")],
      ...["--strict-mcp-config", ...serverConfig(server)],
    ],
    // Else its model would have to search for the tools of MCP servers.
    env: { ANTHROPIC_BASE_URL: modelAddress, ANTHROPIC_API_KEY: "none", ENABLE_TOOL_SEARCH: "false" },
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

  files: {
    write: (file_path, content) => ({
      tool: "Write",
      input: { file_path, content },
    }),
    edit: (file_path, old_string, new_string) => [
      { tool: "Read", input: { file_path } },
      { tool: "Edit", input: { file_path, old_string, new_string } },
    ],
  },

  mcp: ({ tool }, input) => [{ tool, input }],

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

function serverTools(server: McpServer | undefined): string[] {
  return server === undefined ? [] : [`mcp__${server.name}`];
}

function serverConfig(server: McpServer | undefined): string[] {
  if (server === undefined) return [];
  const [command, ...args] = server.argv;
  return ["--mcp-config", JSON.stringify({ mcpServers: { [server.name]: { command, args } } })];
}

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
  const env =
    typeof keys.env === "object" && keys.env !== null ? { env: decidingVariables({ ...keys.env }) } : {};
  return JSON.stringify({ ...Object.fromEntries(known), ...env }, null, 2);
}

/** As Claude Code reads it: strictly, but for a byte order mark. Null: not at all. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
  } catch {
    return null;
  }
}
