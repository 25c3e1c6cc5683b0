import type { AgentName } from "../../ports/adapter.ts";
import type { AgentProgram } from "./agent-program.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";

/** Every agent that can be run here. */
export const agentPrograms: Readonly<Record<AgentName, AgentProgram>> = {
  "claude-code": claudeCode,
  codex,
};
