import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { McpServer } from "../workplace.ts";
import type { AgentProgram } from "./agent-program.ts";

export const opencode: AgentProgram = {
  agent: "opencode",
  program: "opencode",
  programVariable: "SWARM_VERIFY_OPENCODE",
  runsNewEntries: true,
  // 7 s of processor time where this was written, most of it before anything happens.
  runTimeoutMs: 180_000,

  copySettings(settings, _folders, { agentHome, project, server }) {
    const folders = {
      user: join(agentHome, "opencode"),
      project: join(project, ".opencode"),
    };
    for (const folder of [folders.user, ...settings.map(({ scope }) => folders[scope])]) {
      mkdirSync(join(folder, "plugin"), { recursive: true });
      pretendPackage(folder);
    }
    for (const { scope, text } of settings)
      writeFileSync(join(folders[scope], "plugin/swarm-hooks.js"), text);
    writeFileSync(
      join(folders.user, "opencode.json"),
      JSON.stringify({ ...config, ...mcpOf(server) }, null, 2),
    );
  },

  homeEnv: ({ agentHome }) => ({
    XDG_CONFIG_HOME: agentHome,
    XDG_DATA_HOME: join(agentHome, "data"),
    XDG_STATE_HOME: join(agentHome, "state"),
    XDG_CACHE_HOME: join(agentHome, "cache"),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    // Whatever else it wants from npm it gives up at once.
    npm_config_fetch_retries: "0",
  }),

  variables: /^OPENCODE_/,

  headless: (prompt, modelAddress) => ({
    args: ["run", prompt],
    env: { SWARM_VERIFY_MODEL: modelAddress },
  }),

  /** Plugin files are simply loaded. */
  objection: async () => null,

  shell: (command) => ({ tool: "bash", input: { command, description: "swarm verify" } }),

  files: {
    write: (filePath, content) => ({
      tool: "write",
      input: { filePath, content },
    }),
    edit: (filePath, oldString, newString) => [
      { tool: "read", input: { filePath } },
      { tool: "edit", input: { filePath, oldString, newString } },
    ],
  },

  mcp: ({ tool }, input) => [{ tool, input }],

  subagent: (prompt) => [
    { tool: "task", input: { description: "swarm verify", prompt, subagent_type: "general" } },
  ],

  hookCall: (command, cwd, callId) => ({
    payload: {
      host: "opencode",
      hook_event_name: "tool.execute.before",
      cwd,
      input: { tool: "bash", sessionID: callId, callID: callId },
      output: { args: { command, description: "swarm verify" } },
    },
    env: {},
  }),
};

function mcpOf({ name, argv }: McpServer): object {
  return { mcp: { [name]: { type: "local", command: argv, enabled: true } } };
}

/** Its model is the one on loopback. */
const config = {
  model: "local/scripted",
  small_model: "local/scripted",
  autoupdate: false,
  share: "disabled",
  provider: {
    local: {
      npm: "@ai-sdk/openai-compatible",
      name: "local",
      options: { baseURL: "{env:SWARM_VERIFY_MODEL}/v1", apiKey: "none" },
      models: {
        scripted: {
          name: "scripted",
          limit: { context: 100_000, output: 4_000 },
        },
      },
    },
  },
};

/** A folder with plugins in it gets a package from npm that only plugins in TypeScript need: here it is told that it has it. */
function pretendPackage(folder: string): void {
  const dependencies = { "@opencode-ai/plugin": "*" };
  const files = {
    "package.json": { dependencies },
    "package-lock.json": {
      lockfileVersion: 3,
      packages: { "": { dependencies } },
    },
    "node_modules/.keep": {},
  };
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
}
