import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelTurn, ToolCall } from "../model-server/script.ts";
import type { McpServer } from "../workplace.ts";
import { type AgentProgram, agentEnv } from "./agent-program.ts";
import { hookConfig, type Moved } from "./codex-config.ts";
import { type CodexHook, listHooks } from "./codex-trust.ts";

/** Whatever of it would look for the vendor: plugins and apps ask it at every start, and nothing here needs them. */
const offline = [
  "-c",
  "features.plugins=false",
  "-c",
  "features.apps=false",
  "-c",
  "analytics.enabled=false",
];

export const codex: AgentProgram = {
  agent: "codex",
  program: "codex",
  programVariable: "SWARM_VERIFY_CODEX",
  // By its hash: an entry of ours it has not been shown is skipped without a word.
  runsNewEntries: false,

  copySettings(settings, { project }, place) {
    for (const { scope, text } of settings) {
      const folder = scope === "user" ? place.agentHome : join(place.project, ".codex");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "hooks.json"), text);
    }
    const user = settings.find(({ scope }) => scope === "user");
    const home = user === undefined ? null : dirname(user.file);
    const config = home === null ? null : join(home, "config.toml");
    const moved = [...movedFrom(home, place.agentHome), ...movedFrom(project, place.project)];
    const text = config !== null && existsSync(config) ? readFileSync(config, "utf8") : "";
    writeFileSync(join(place.agentHome, "config.toml"), hookConfig(text, moved));
  },

  homeEnv: ({ agentHome }) => ({ CODEX_HOME: agentHome }),

  variables: /^CODEX_/,

  headless(prompt, modelAddress, { model = "scripted", server } = {}) {
    const provider = `{name="local",base_url="${modelAddress}/v1",wire_api="responses",env_key="SWARM_VERIFY_KEY"}`;
    const settings = {
      model: JSON.stringify(model),
      model_provider: '"local"',
      "model_providers.local": provider,
      // Nobody is there to be asked, and the commands are ours: hooks are asked before either.
      approval_policy: '"never"',
      sandbox_mode: '"danger-full-access"',
      check_for_update_on_startup: "false",
      ...mcpServer(server),
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    return {
      args: ["exec", "--skip-git-repo-check", "--json", ...offline, ...flags, prompt],
      env: { SWARM_VERIFY_KEY: "none" },
    };
  },

  async objection(agent, hook) {
    const { program, place } = agent;
    const hooks = await listHooks([program, "app-server", ...offline], place.project, agentEnv(agent));
    const ours = hooks?.filter((found) => found.eventName === "preToolUse" && found.command?.includes(hook));
    return ours === undefined ? null : objectionTo(ours);
  },

  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),

  typing: {
    open: (command) => ({ tool: "exec_command", input: { cmd: command, tty: true, yield_time_ms: 1_000 } }),
    type: (chars) => (turn) => ({
      tool: "write_stdin",
      input: { session_id: sessionOf(turn), chars, yield_time_ms: 2_000 },
    }),
  },

  files: {
    // Only models it knows are offered the tool; others call it as a command, which is a shell's.
    model: "gpt-5.5",
    write: (file, text) => patch(`*** Add File: ${file}\n+${text}`),
    edit: (file, before, after) => [patch(`*** Update File: ${file}\n@@\n-${before}\n+${after}`)],
  },

  mcp: ({ tool }, input) => [{ tool, input }],

  subagent: (prompt) => [{ tool: "spawn_agent", input: { message: prompt } }, waitForFirst],

  hookCall: (command, cwd, callId) => ({
    payload: {
      session_id: "swarm-verify",
      turn_id: "swarm-verify",
      transcript_path: null,
      cwd,
      hook_event_name: "PreToolUse",
      model: "scripted",
      permission_mode: "bypassPermissions",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: callId,
    },
    env: {},
  }),
};

function mcpServer(server: McpServer | undefined): Readonly<Record<string, string>> {
  if (server === undefined) return {};
  const [command, args] = [server.argv[0], server.argv.slice(1)].map((value) => JSON.stringify(value));
  return { [`mcp_servers.${server.name}`]: `{command=${command},args=${args}}` };
}

/** A tool that takes a text, not arguments. */
function patch(change: string): ToolCall {
  return {
    tool: "apply_patch",
    input: {},
    text: `*** Begin Patch\n${change}\n*** End Patch`,
  };
}

function movedFrom(folder: string | null, to: string): Moved[] {
  if (folder === null || !existsSync(folder)) return [];
  return [...new Set([folder, realpathSync(folder)])].map((from) => [from, to]);
}

function objectionTo(ours: readonly CodexHook[]): string | null {
  if (ours.length === 0) return "Codex does not find the hook: run swarm install codex";
  if (ours.some(({ enabled }) => !enabled))
    return "the hook is off in Codex: start codex, /hooks, turn it on";
  const statuses = new Set(ours.map(({ trustStatus }) => trustStatus));
  const how = "start codex in a terminal, review the hooks it shows (or /hooks) and trust them";
  if (statuses.has("modified")) return `the hook has changed since Codex was told to trust it: ${how}`;
  return statuses.has("untrusted") ? `Codex does not trust the hook yet: ${how}` : null;
}

/** What it calls the command that was started last; without one there is none to type into. */
function sessionOf({ toolResults }: ModelTurn): number {
  return Number(/session ID (\d+)/i.exec(toolResults.at(-1) ?? "")?.[1] ?? 0);
}

/** A run that ends does not wait for its subagents. */
function waitForFirst({ toolResults }: ModelTurn): ToolCall {
  const id = /"agent_id":\s*"([^"]+)"/.exec(toolResults[0] ?? "")?.[1] ?? "unknown";
  return { tool: "wait_agent", input: { targets: [id], timeout_ms: 20_000 } };
}
