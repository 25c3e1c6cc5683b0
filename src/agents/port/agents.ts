/** What is known of an agent wherever it is spoken of; its adapter, its reader and its proof are keyed by its name. */
interface AgentRow {
  /** As people write it: `Claude Code`. */
  readonly title: string;
  /** Names its program is started by. */
  readonly programs: readonly string[];
  /** The variables it can be told apart by. */
  readonly variables: readonly string[];
  /** Whether its transcripts are read. */
  readonly isScanned: boolean;
}

/** The list of agents: a new one is a row here, and then what the compiler misses. */
export const agents = {
  "claude-code": {
    title: "Claude Code",
    programs: ["claude"],
    variables: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"],
    isScanned: true,
  },
  codex: { title: "Codex", programs: ["codex"], variables: [], isScanned: true },
  "gemini-cli": {
    title: "Gemini CLI",
    programs: ["gemini"],
    variables: ["GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR"],
    isScanned: true,
  },
  "qwen-code": {
    title: "Qwen Code",
    programs: ["qwen"],
    variables: ["QWEN_CODE_SESSION_ID", "QWEN_PROJECT_DIR"],
    isScanned: true,
  },
  copilot: {
    title: "Copilot CLI",
    programs: ["copilot"],
    variables: ["COPILOT_CLI", "COPILOT_HOOK_DIR"],
    isScanned: true,
  },
  cursor: { title: "Cursor", programs: ["cursor-agent"], variables: ["CURSOR_VERSION"], isScanned: false },
  opencode: { title: "OpenCode", programs: ["opencode"], variables: [], isScanned: true },
} as const satisfies Readonly<Record<string, AgentRow>>;

export type AgentName = keyof typeof agents;
export const agentNames = Object.keys(agents) as readonly AgentName[];

/** Agents whose transcripts are read. */
export type ScannedAgent = {
  [N in AgentName]: (typeof agents)[N]["isScanned"] extends true ? N : never;
}[AgentName];
export const scannedAgents = agentNames.filter((name): name is ScannedAgent => agents[name].isScanned);

/** An agent's row with its name. */
export type NamedAgent = AgentRow & { readonly agent: AgentName };

export function namedAgent(agent: AgentName): NamedAgent {
  return { agent, ...agents[agent] };
}
