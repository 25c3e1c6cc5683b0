import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workplace } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";
import { parsedSettings } from "./settings-copy.ts";
import { realOf } from "./trusted-folders.ts";

/** Keys of its settings that decide whether and how hooks run. */
const copiedKeys = ["hooks", "disableAllHooks", "disabledHooks"];

export const copilot: AgentProgram = {
  agent: "copilot",
  program: "copilot",
  programVariable: "SWARM_VERIFY_COPILOT",
  runsNewEntries: true,

  copySettings(settings, { home, project, env }, place) {
    for (const { scope, text } of settings) {
      const file =
        scope === "user" ? join(place.agentHome, hooksFile) : join(place.project, ".github", hooksFile);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const folder = env.COPILOT_HOME || join(home, ".copilot");
    const own = readKeys(join(folder, "settings.json"));
    const kept = Object.entries(own).filter(([key]) => copiedKeys.includes(key));
    writeFileSync(settingsFile(place), JSON.stringify(Object.fromEntries(kept)));
    for (const file of switchFiles) {
      const switches = Object.entries(readKeys(join(project, file))).filter(([key]) =>
        copiedKeys.includes(key),
      );
      if (switches.length === 0) continue;
      mkdirSync(dirname(place.path(file)), { recursive: true });
      writeFileSync(place.path(file), JSON.stringify(Object.fromEntries(switches)));
    }
    const [command, ...args] = place.server.argv;
    const servers = { [place.server.name]: { type: "local", command, args, tools: ["*"] } };
    writeFileSync(join(place.agentHome, "mcp-config.json"), JSON.stringify({ mcpServers: servers }));
    const trusted = readKeys(join(folder, "config.json")).trustedFolders;
    const isTrusted =
      Array.isArray(trusted) && trusted.some((other) => realOf(String(other)) === realOf(project));
    const trustedFolders = isTrusted ? [place.project] : [];
    writeFileSync(join(place.agentHome, "config.json"), JSON.stringify({ trustedFolders }));
  },

  homeEnv: ({ agentHome }) => ({
    COPILOT_HOME: agentHome,
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
  }),

  variables: /^COPILOT_/,

  headless: (prompt, modelAddress) => ({
    // The sentinel's tools need no leave of a person; hooks are asked before it.
    args: ["-p", prompt, "--allow-all-tools"],
    env: {
      COPILOT_PROVIDER_BASE_URL: `${modelAddress}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
    },
  }),

  async objection({ place, project }, hook) {
    const off = switchFiles.find((file) => readKeys(place.path(file)).disableAllHooks === true);
    if (off !== undefined) return `${join(project, off)} has disableAllHooks: remove it`;
    const user = join(place.agentHome, hooksFile);
    const isOurs = existsSync(user) && readFileSync(user, "utf8").includes(hook);
    const { trustedFolders } = readKeys(join(place.agentHome, "config.json"));
    if (isOurs || (Array.isArray(trustedFolders) && trustedFolders.length > 0)) return null;
    return `Copilot CLI does not trust ${project}, and runs no hooks of its repository there: start copilot in it and trust it`;
  },

  shell: (command) => ({ tool: "bash", input: { command, description: "swarm verify" } }),

  files: {
    write: (path, file_text) => ({
      tool: "create",
      input: { path, file_text },
    }),
    edit: (path, old_str, new_str) => [{ tool: "edit", input: { path, old_str, new_str } }],
  },

  mcp: ({ tool }, input) => [{ tool, input }],

  subagent: (prompt) => [
    {
      tool: "task",
      input: {
        name: "verify",
        description: "swarm verify",
        prompt,
        agent_type: "general-purpose",
        mode: "sync",
      },
    },
  ],

  hookCall: (command, cwd, callId) => ({
    payload: {
      sessionId: callId,
      timestamp: Date.now(),
      cwd,
      toolName: "bash",
      toolArgs: { command, description: "swarm verify" },
    },
    env: { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: cwd, SWARM_NATIVE_EVENT: "preToolUse" },
  }),
};

const hooksFile = "hooks/swarm-hooks.json";

/** Files of a repository it takes switches from. */
const switchFiles = [".github/copilot", ".claude"].flatMap((folder) =>
  ["settings.json", "settings.local.json"].map((file) => join(folder, file)),
);

function settingsFile(place: Workplace): string {
  return join(place.agentHome, "settings.json");
}

function readKeys(file: string): Readonly<Record<string, unknown>> {
  return (existsSync(file) ? parsedSettings(readFileSync(file, "utf8")) : null) ?? {};
}
