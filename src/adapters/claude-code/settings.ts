import { join } from "node:path";
import type { AgentSettings, WantedHook } from "../../ports/adapter.ts";
import { amendHooks } from "../settings/amend-hooks.ts";
import { type HookForm, installedHooks, isPlace, otherHooks } from "../settings/hook-form.ts";
import { installHooks } from "../settings/install-hooks.ts";
import { shellWords } from "../settings/shell-line.ts";
import { removeHooks, uninstallHooks } from "../settings/uninstall-hooks.ts";
import { claudeToolEvents } from "./events.ts";
import { portClaudeHook } from "./port-hook.ts";

const usualFile = ".claude/settings.json";

export const claudeSettings: AgentSettings = {
  file: (scope, { home, project, env }) =>
    scope === "project"
      ? join(project, ".claude", "settings.json")
      : join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json"),
  install: (text, wanted, file = usualFile) => installHooks(form, text, wanted, file),
  uninstall: (text, file = usualFile) => uninstallHooks(form, text, file),
  installed: (text, file = usualFile) => installedHooks(form, text, file),
  whyInert,
  amend: (text, change, file = usualFile) => amendHooks(form, text, change, file),
  others: (text, file = usualFile) => otherHooks(form, text, file),
  remove: (text, hooks, file = usualFile) => removeHooks(text, file, isPlace(hooks)),
  port: portClaudeHook,
  shell: () => ["bash", "-c"],
  runsSameOnce: true,
  distrustsChanges: false,
  alwaysGuarded: [],
};

const form: HookForm = {
  toolEvents: claudeToolEvents,
  print: printHook,
  argv: ({ command, args }) => {
    if (typeof command !== "string") return null;
    if (args === undefined) return shellWords(command);
    return Array.isArray(args) && args.every((word) => typeof word === "string") ? [command, ...args] : null;
  },
};

/** With `args` no shell is started, and nothing needs quoting. A guard that ends in any other way blocks. */
function printHook({ argv: [command, ...args], timeoutS }: WantedHook): Readonly<Record<string, unknown>> {
  const onFailure = args.includes("--guard") ? { onFailure: "block" } : {};
  return { type: "command", command, args, timeout: timeoutS, ...onFailure };
}

/** Without a word, 2.1.325 takes nothing of a file with a comment or a trailing comma in it. */
function whyInert(text: string): string | null {
  try {
    const { disableAllHooks } = JSON.parse(text.replace(/^\ufeff/, "")) as { disableAllHooks?: unknown };
    return disableAllHooks === true ? "it has disableAllHooks: remove that" : null;
  } catch {
    return "it ignores a settings file with comments or trailing commas: take them out";
  }
}
