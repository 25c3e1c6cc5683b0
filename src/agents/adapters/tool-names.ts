import { knownToolNames } from "../../engine/events/tools.ts";
import { claudeTools } from "./claude-code/tools.ts";
import { codexTools } from "./codex/tools.ts";
import { copilotTools } from "./copilot/tools.ts";
import { cursorTools } from "./cursor/tools.ts";
import { geminiTools } from "./gemini-cli/tools.ts";
import { opencodeTools } from "./opencode/tools.ts";
import { qwenTools } from "./qwen-code/tools.ts";

const tables = [claudeTools, codexTools, copilotTools, cursorTools, geminiTools, opencodeTools, qwenTools];

/** What any agent calls a tool of its own, with the common names first: they are what is best written in a matcher. */
export const agentToolNames: readonly string[] = [
  ...new Set([...knownToolNames, ...tables.flatMap(({ builtIn }) => [...builtIn.keys()])]),
];
