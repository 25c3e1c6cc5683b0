import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workplace } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";
import { copySettingsKeys, mcpServers, parsedSettings, within } from "./settings-copy.ts";
import { trustIn } from "./trusted-folders.ts";

/** Keys that decide whether and how hooks run; of `security` only the switch for trust in folders. */
const copiedKeys = ["hooks", "hooksConfig"];

export const geminiCli: AgentProgram = {
  agent: "gemini-cli",
  program: "gemini",
  programVariable: "SWARM_VERIFY_GEMINI",
  runsNewEntries: true,

  copySettings(settings, { home, project, env }, place) {
    mkdirSync(join(place.agentHome, ".gemini"), { recursive: true });
    const user = settings.find(({ scope }) => scope === "user")?.text ?? "{}";
    const folderTrust = within(within(parsedSettings(user), "security"), "folderTrust");
    const security = { folderTrust, auth: { selectedType: "gemini-api-key" } };
    const quiet = {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    copySettingsKeys(user, userFile(place), copiedKeys, { security, ...quiet, ...mcpServers(place.server) });
    const own = settings.find(({ scope }) => scope === "project");
    if (own !== undefined) copySettingsKeys(own.text, projectFile(place), copiedKeys);
    const rules = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(geminiHome(home, env), "trustedFolders.json");
    const trust = trustIn(rules, project);
    if (trust !== null) writeFileSync(trustFile(place), JSON.stringify({ [place.project]: trust }));
  },

  homeEnv: ({ agentHome }) => ({ GEMINI_CLI_HOME: agentHome, GEMINI_CLI_NO_RELAUNCH: "true" }),

  variables: /^GEMINI_/,

  headless: (prompt, modelAddress) => ({
    // The sentinel's tools need no leave of a person; hooks are asked before it, and the folder has to be trusted.
    args: ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"],
    env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: modelAddress },
  }),

  async objection({ place, project }, hook) {
    const settings = [userFile(place), projectFile(place)]
      .filter(existsSync)
      .map((file) => parsedSettings(readFileSync(file, "utf8")));
    if (settings.includes(null)) return "Gemini CLI cannot read its settings: they are no JSON";
    const configs = settings.map((keys) => within(keys, "hooksConfig"));
    if (configs.some(({ enabled }) => enabled === false)) {
      return "Gemini CLI's settings have hooksConfig.enabled: false, remove it";
    }
    const disabled = configs.flatMap(({ disabled: names }) => (Array.isArray(names) ? names : []));
    if (disabled.some((name) => String(name).includes(hook)))
      return "the hook is off in Gemini CLI: gemini, /hooks";
    const isAsked = settings.every(
      (keys) => within(within(keys, "security"), "folderTrust").enabled !== false,
    );
    if (!isAsked || trustIn(trustFile(place), place.project) === "TRUST_FOLDER") return null;
    return (
      `Gemini CLI does not trust ${project}: there it runs no hook, not even yours, and does not start without a ` +
      "terminal. Start gemini in it and trust it"
    );
  },

  shell: (command) => ({ tool: "run_shell_command", input: { command } }),

  files: {
    write: (file_path, content) => ({
      tool: "write_file",
      input: { file_path, content },
    }),
    edit: (file_path, old_string, new_string) => [
      {
        tool: "replace",
        input: {
          file_path,
          instruction: "swarm verify",
          old_string,
          new_string,
        },
      },
    ],
  },

  mcp: ({ tool }, input) => [{ tool, input }],

  subagent: (prompt) => [{ tool: "invoke_agent", input: { agent_name: "generalist", prompt } }],

  hookCall: (command, cwd, callId) => ({
    payload: {
      session_id: callId,
      transcript_path: join(cwd, "none.jsonl"),
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: new Date().toISOString(),
      tool_name: "run_shell_command",
      tool_input: { command },
    },
    env: { GEMINI_SESSION_ID: callId, GEMINI_PROJECT_DIR: cwd, CLAUDE_PROJECT_DIR: cwd },
  }),
};

function geminiHome(home: string, env: NodeJS.ProcessEnv): string {
  return join(env.GEMINI_CLI_HOME || home, ".gemini");
}

function userFile(place: Workplace): string {
  return join(place.agentHome, ".gemini/settings.json");
}

function projectFile(place: Workplace): string {
  return join(place.project, ".gemini/settings.json");
}

function trustFile(place: Workplace): string {
  return join(place.agentHome, ".gemini/trustedFolders.json");
}
