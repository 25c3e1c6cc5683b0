import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import type { TranscriptReader } from "./reader.ts";
import type { ScannedAgent } from "../../port/agents.ts";

export const transcriptReaders: Readonly<Record<ScannedAgent, TranscriptReader>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  copilot,
  opencode,
};
