import type { AgentName } from "../../port/agents.ts";
import type { AgentProgram, UnprovableAgent } from "./agent-program.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";

/** Every agent, and how it is run here if it can be. */
export const agentPrograms: Readonly<Record<AgentName, AgentProgram | UnprovableAgent>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  copilot,
  cursor,
  opencode,
};
