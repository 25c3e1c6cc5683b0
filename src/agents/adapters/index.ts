import type { Adapter, NativeCall } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { callerOf } from "./caller.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { copilot } from "./copilot/adapter.ts";
import { cursor } from "./cursor/adapter.ts";
import { geminiCli } from "./gemini-cli/adapter.ts";
import { opencode } from "./opencode/adapter.ts";
import { qwenCode } from "./qwen-code/adapter.ts";

export { callerOf } from "./caller.ts";
export { degrade } from "./degrade.ts";

export const adapters: Readonly<Record<AgentName, Adapter>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  copilot,
  cursor,
  opencode,
};

/**
 * Whoever really calls has to be answered in its own words, whatever name the entry was installed under. Null: it is
 * an agent we have no words for, and `callerOf` tells which.
 */
export function adapterFor(call: NativeCall, installedFor: string): Adapter | null {
  const caller = callerOf(call) ?? installedFor;
  return Object.values<Adapter>(adapters).find(({ agent }) => agent === caller) ?? null;
}
