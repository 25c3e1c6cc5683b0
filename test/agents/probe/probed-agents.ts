import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { McpServer } from "../../../src/agents/verify/workplace.ts";
import { programOf, type RealAgent } from "../install-agents.ts";
import type { Person } from "../person.ts";

/** MCP servers by name, each as a program and its arguments. */
export type Servers = Readonly<Record<string, readonly [string, ...string[]]>>;

/** How a real agent is given MCP servers, and started without a person. */
export interface ProbedAgent {
  /** Writes its settings: the server, and whatever it wants to know before it runs hooks here. */
  configure(person: Person, servers: Servers): void;
  /** Arguments in the place of those `swarm verify` starts it with, which shut MCP servers out. */
  readonly args?: (args: readonly string[]) => string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Tools it offers in words, to be called by way of another one. */
  readonly namedInPrompts?: (prompts: readonly string[]) => string[];
}

/** The servers as most agents' settings have them; `more` stands beside each. */
function stdio(servers: Servers, more: object = {}): Record<string, object> {
  const entries = Object.entries(servers);
  return Object.fromEntries(entries.map(([name, [command, ...args]]) => [name, { command, args, ...more }]));
}

export const probedAgents: Readonly<Record<RealAgent, ProbedAgent>> = {
  "claude-code": {
    configure: ({ home }, servers) => merge(join(home, ".claude.json"), { mcpServers: stdio(servers) }),
    args: (args) => [
      ...args.filter((arg) => arg !== "--strict-mcp-config"),
      "--allowedTools",
      "mcp__probe__touch,mcp__my_server__do_it,mcp__swarm,Bash,Monitor,TaskCreate,TaskUpdate",
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
    configure({ home }, servers) {
      const tables = Object.entries(servers).map(([name, [command, ...args]]) => {
        const lines = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
        return [`[mcp_servers.${JSON.stringify(name)}]`, ...lines, ""].join("\n");
      });
      writeFileSync(join(home, ".codex/config.toml"), tables.join(""));
    },
    // Its hooks are trusted in a terminal; that they are run once they are is another test's.
    args: (args) => args.toSpliced(1, 0, "--dangerously-bypass-hook-trust"),
  },
  "gemini-cli": {
    configure({ home, project }, servers) {
      merge(join(home, ".gemini/settings.json"), {
        mcpServers: stdio(servers, { trust: true }),
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      });
      writeFileSync(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [project]: "TRUST_FOLDER" }));
    },
    env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  },
  "qwen-code": {
    configure: ({ home }, servers) =>
      merge(join(home, ".qwen/settings.json"), {
        mcpServers: stdio(servers, { trust: true }),
        security: { auth: { selectedType: "openai" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    namedInPrompts: (prompts) =>
      prompts
        .flatMap((prompt) => prompt.split("reachable through `tool_search`").slice(1))
        .flatMap((part) => [...(part.split("</system-reminder>")[0] ?? "").matchAll(/^- "([^"]+)":/gm)])
        .map(([, name = ""]) => name),
  },
  copilot: {
    configure({ home, project }, servers) {
      const mcpServers = stdio(servers, { type: "local", tools: ["*"] });
      merge(join(home, ".copilot/mcp-config.json"), { mcpServers });
      merge(join(home, ".copilot/config.json"), { trustedFolders: [project] });
    },
    env: { COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
  },
  opencode: {
    configure({ home, project }, servers) {
      const folder = join(home, ".config/opencode");
      // What it says of a server is replaced below.
      const server: McpServer = { name: "probe", tool: "touch", argv: ["true"] };
      const place = { agentHome: dirname(folder), project, server };
      programOf("opencode").copySettings([], { home, project, env: {} }, place as never);
      const entries = Object.entries(servers);
      const mcp = entries.map(([name, command]) => [name, { type: "local", command, enabled: true }]);
      merge(join(folder, "opencode.json"), { mcp: Object.fromEntries(mcp) });
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
