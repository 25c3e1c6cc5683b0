import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";
import type { Workplace } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";
import { decidingVariables } from "./deciding-variables.ts";
import { copySettingsKeys, mcpServers, parsedSettings, within } from "./settings-copy.ts";
import { trustIn } from "./trusted-folders.ts";

/** Keys that decide whether and how hooks run; of `security` only the switch for trust in folders. */
const copiedKeys = ["hooks", "disableAllHooks"];

export const qwenCode: AgentProgram = {
  agent: "qwen-code",
  program: "qwen",
  programVariable: "SWARM_VERIFY_QWEN",
  runsNewEntries: true,

  copySettings(settings, { home, project, env }, place, switches = []) {
    const user = settings.find(({ scope }) => scope === "user")?.text ?? "{}";
    const folderTrust = within(within(parsedSettings(user), "security"), "folderTrust");
    const security = { folderTrust, auth: { selectedType: "openai" } };
    const quiet = {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    const servers = mcpServers(place.server);
    copySettingsKeys(user, userFile(place), copiedKeys, { security, ...quiet, ...servers, ...envOf(user) });
    const ofProject = settings.find(({ scope }) => scope === "project");
    if (ofProject !== undefined) {
      copySettingsKeys(ofProject.text, projectFile(place), copiedKeys, envOf(ofProject.text));
    }
    // The nearest one counts; what it takes from the others besides is not told apart.
    const envs = switches.filter(({ file }) => basename(file) === ".env").toReversed();
    const variables = decidingVariables(Object.assign({}, ...envs.map(({ text }) => parseEnv(text))));
    const own = Object.entries(variables).filter(([name]) => name.startsWith("QWEN_"));
    mkdirSync(place.path(".qwen"), { recursive: true });
    writeFileSync(
      place.path(".qwen/.env"),
      own.map(([name, value]) => `${name}=${JSON.stringify(value)}\n`).join(""),
    );
    const folder = env.QWEN_HOME || join(home, ".qwen");
    const rules = env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(folder, "trustedFolders.json");
    const trust = trustIn(rules, project);
    if (trust !== null) writeFileSync(trustFile(place), JSON.stringify({ [place.project]: trust }));
  },

  homeEnv: ({ agentHome }) => ({ QWEN_HOME: agentHome, QWEN_RUNTIME_DIR: agentHome }),

  variables: /^QWEN_/,

  headless: (prompt, modelAddress) => ({
    // The sentinel's tools need no leave of a person; hooks are asked before it.
    args: ["-p", prompt, "--approval-mode", "yolo"],
    env: {
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${modelAddress}/v1`,
      OPENAI_MODEL: "scripted",
    },
  }),

  async objection({ place, project }, hook) {
    const files = [userFile(place), projectFile(place)].filter(existsSync);
    const settings = files.map((file) => parsedSettings(readFileSync(file, "utf8")));
    if (settings.includes(null)) return "Qwen Code cannot read its settings: they are no JSON";
    if (settings.some((keys) => keys?.disableAllHooks === true)) {
      return "Qwen Code's settings have disableAllHooks: remove it";
    }
    const isOurs = existsSync(userFile(place)) && readFileSync(userFile(place), "utf8").includes(hook);
    const [user = null] = settings;
    const isAsked = within(within(user, "security"), "folderTrust").enabled === true;
    // Hooks of the user's own settings run whatever folder it is.
    if (isOurs || !isAsked || trustIn(trustFile(place), place.project) === "TRUST_FOLDER") return null;
    return `Qwen Code does not trust ${project}, and runs no hooks of its project there: start qwen in it and trust it`;
  },

  shell: (command) => ({ tool: "run_shell_command", input: { command, is_background: false } }),

  files: {
    write: (file_path, content) => ({
      tool: "write_file",
      input: { file_path, content },
    }),
    edit: (file_path, old_string, new_string) => [
      { tool: "read_file", input: { file_path } },
      { tool: "edit", input: { file_path, old_string, new_string } },
    ],
  },

  // Its model has to search for tools of MCP servers, and calls them by another tool.
  mcp: ({ name, tool }, input) => [
    { tool: "tool_search", input: { query: tool } },
    { tool: "tool_call", input: { name: `mcp__${name}__${tool}`, arguments: input } },
  ],

  subagent: (prompt) => [
    {
      tool: "agent",
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
      session_id: callId,
      transcript_path: join(cwd, "none.jsonl"),
      cwd,
      hook_event_name: "PreToolUse",
      timestamp: new Date().toISOString(),
      permission_mode: "yolo",
      tool_name: "run_shell_command",
      tool_input: { command, is_background: false },
      tool_use_id: callId,
      tool_call_id: callId,
    },
    env: {
      QWEN_CODE_SESSION_ID: callId,
      QWEN_PROJECT_DIR: cwd,
      GEMINI_PROJECT_DIR: cwd,
      CLAUDE_PROJECT_DIR: cwd,
    },
  }),
};

function envOf(text: string): { readonly env: object } {
  return { env: decidingVariables(within(parsedSettings(text), "env")) };
}

function userFile(place: Workplace): string {
  return join(place.agentHome, "settings.json");
}

function projectFile(place: Workplace): string {
  return join(place.project, ".qwen/settings.json");
}

function trustFile(place: Workplace): string {
  return join(place.agentHome, "trustedFolders.json");
}
