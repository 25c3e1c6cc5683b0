import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Person } from "../person.ts";
import { programOf, type RealAgent } from "../install-agents.ts";

/** How a real agent is given the MCP server `probe`, and started without a person. */
export interface ProbedAgent {
  /** Writes its settings: the server, and whatever it wants to know before it runs hooks here. */
  configure(person: Person, argv: readonly [string, ...string[]]): void;
  /** Arguments in the place of those `swarm verify` starts it with, which shut MCP servers out. */
  readonly args?: (args: readonly string[]) => string[];
  readonly env?: Readonly<Record<string, string>>;
}

const stdio = ([command, ...args]: readonly [string, ...string[]]) => ({ command, args });

export const probedAgents: Readonly<Record<RealAgent, ProbedAgent>> = {
  "claude-code": {
    configure: ({ home }, argv) => merge(join(home, ".claude.json"), { mcpServers: { probe: stdio(argv) } }),
    args: (args) => [
      ...args.filter((arg) => arg !== "--strict-mcp-config"),
      "--allowedTools",
      "mcp__probe__touch,Monitor,TaskCreate",
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      ENABLE_TOOL_SEARCH: "false",
    },
  },
  codex: {
    configure({ home }, [command, ...args]) {
      const server = `[mcp_servers.probe]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
      writeFileSync(join(home, ".codex/config.toml"), server);
    },
    // Its hooks are trusted in a terminal; that they are run once they are is another test's.
    args: (args) => args.toSpliced(1, 0, "--dangerously-bypass-hook-trust"),
  },
  "gemini-cli": {
    configure({ home, project }, argv) {
      merge(join(home, ".gemini/settings.json"), {
        mcpServers: { probe: { ...stdio(argv), trust: true } },
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      });
      writeFileSync(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
    },
    env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  },
  "qwen-code": {
    configure: ({ home }, argv) =>
      merge(join(home, ".qwen/settings.json"), {
        mcpServers: { probe: { ...stdio(argv), trust: true } },
        security: { auth: { selectedType: "openai" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
  },
  copilot: {
    configure({ home, project }, argv) {
      const probe = { type: "local", ...stdio(argv), tools: ["*"] };
      merge(join(home, ".copilot/mcp-config.json"), { mcpServers: { probe } });
      merge(join(home, ".copilot/config.json"), { trustedFolders: [project] });
    },
    env: { COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
  },
  opencode: {
    configure({ home, project }, argv) {
      const folder = join(home, ".config/opencode");
      const place = { agentHome: dirname(folder), project };
      programOf("opencode").copySettings([], { home, project, env: {} }, place as never);
      merge(join(folder, "opencode.json"), {
        mcp: { probe: { type: "local", command: argv, enabled: true } },
      });
    },
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      npm_config_fetch_retries: "0",
    },
  },
};

/** Adds keys to a settings file; `swarm install` may have made it. */
function merge(file: string, keys: object): void {
  mkdirSync(dirname(file), { recursive: true });
  let before = {};
  try {
    before = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  writeFileSync(file, JSON.stringify({ ...before, ...keys }));
}
