import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "../../agents/port/agents.ts";
import { codexHookOptions } from "./codex-hook-options.ts";

/** One run of an agent's program. */
export interface Trial {
  readonly program: string;
  /** A settings file's text with our hooks, and nothing else in it. */
  readonly settings: string;
  /** Where files of the trial go. */
  readonly folder: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The options that give an agent our hooks for one run. */
type HookOptions = (trial: Trial) => Promise<readonly string[]>;

/**
 * How each agent takes hooks for one run; a text is why it does not. A copy of an agent's folder is no way: its login would
 * be renewed in the copy, and lost with it.
 */
export const hookOptions: Readonly<Record<AgentName, HookOptions | string>> = {
  "claude-code": async ({ settings, folder }) => {
    const file = join(folder, "claude-settings.json");
    writeFileSync(file, settings, { mode: 0o600, flag: "wx" });
    return ["--settings", file];
  },
  codex: codexHookOptions,
  "gemini-cli": "its only settings besides the user's and the project's are an administrator's",
  "qwen-code": "its only settings besides the user's and the project's are an administrator's",
  copilot: "it takes hooks from files in its own folder and the project alone",
  cursor: "it takes hooks from files in its own folder and the project alone",
  opencode: "it takes hooks from plugin files in its own folder and the project alone",
};
