import { oneLine, show } from "../show.ts";
import { didYouMean, type ErrorRow, row } from "./row.ts";

/** What can be wrong with a plugin. */
export const pluginErrors = {
  SWARM_PLUGIN_INVALID: row<{ plugin: string; problem: string }>({
    meaning: "A plugin, or a folder that was to become one, cannot be used. Nothing of it runs.",
    remedy: "Correct what the message names and add it again; docs/plugins.md has what a plugin is made of.",
    status: 400,
    exitCode: 65,
    message: ({ plugin, problem }) => `plugin ${oneLine(plugin, 300)} cannot be used: ${problem}`,
  }),
  SWARM_PLUGIN_UNKNOWN: row<{ plugin: string; suggestion: string | undefined }>({
    meaning: "No plugin of this name is installed.",
    remedy: "See `swarm plugins list` for those there are.",
    status: 404,
    exitCode: 64,
    message: ({ plugin, suggestion }) => `no plugin ${show(plugin)} is installed${didYouMean(suggestion)}`,
  }),
  SWARM_PLUGIN_NOT_FOUND: row<{ written: string; cwd: string }>({
    meaning: "What was to be added is neither a folder nor a package in node_modules here or above.",
    remedy: "Give the path of the plugin's folder, or install the package first.",
    status: 404,
    exitCode: 64,
    message: ({ written, cwd }) =>
      `${show(written)} is neither a folder nor a package in node_modules of ${oneLine(cwd, 300)} or above`,
  }),
  SWARM_PLUGIN_CHANGED: row<{ plugin: string; approved: string; found: string }>({
    meaning: "A plugin's files changed between being shown and being added. It was not added.",
    remedy: "Look at it again, then add it again.",
    status: 409,
    exitCode: 65,
    message: ({ plugin, approved, found }) =>
      `plugin ${plugin} has digest ${oneLine(found, 12)}, expected ${oneLine(approved, 12)}, the one that was approved`,
  }),
  SWARM_PLUGIN_COMMAND_REFUSED: row<{ hook: string; why: string }>({
    meaning: "A plugin's hook was to run a program it may not run. It was not started.",
    remedy:
      "See docs/plugins.md: plugin_shell_hooks_enabled, plugin_shell_allowlist, and the plugin's allowed_shell_commands.",
    status: 403,
    exitCode: 65,
    message: ({ hook, why }) => `hook ${hook} may not run its program: ${why}`,
  }),
} as const satisfies Record<string, ErrorRow<never>>;
