/** Variables that say where we and agents keep what decides about hooks, and where that is without them. */
export const folderVariables = {
  SWARM_HOME: "~/.swarm",
  XDG_CONFIG_HOME: "~/.config",
  CLAUDE_CONFIG_DIR: "~/.claude",
  CODEX_HOME: "~/.codex",
  GEMINI_CLI_HOME: "~",
  QWEN_HOME: "~/.qwen",
  COPILOT_HOME: "~/.copilot",
  OPENCODE_CONFIG_DIR: "~/.config/opencode",
} as const;
