import { join } from "node:path";
import type { SettingsFolders, WantedHook } from "../../ports/adapter.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings } from "../settings/json-settings.ts";
import { shellWords } from "../settings/shell-line.ts";
import { claudeToolEvents } from "./events.ts";
import { portClaudeHook } from "./port-hook.ts";

const form: HookForm = {
  lists: "groups",
  root: {},
  matcher: (native) => (claudeToolEvents.includes(native) ? "*" : null),
  print: printHook,
  argv: ({ command, args }) => {
    if (typeof command !== "string") return null;
    if (args === undefined) return shellWords(command);
    return Array.isArray(args) && args.every((word) => typeof word === "string") ? [command, ...args] : null;
  },
  timeoutS: ({ timeout }) => secondsIn(timeout),
};

const home = ({ home: user, env }: SettingsFolders) => env.CLAUDE_CONFIG_DIR || join(user, ".claude");

export const claudeSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".claude") : home(folders), "settings.json"),
  usualFile: ".claude/settings.json",
  whyInert,
  port: portClaudeHook,
  shell: () => ["bash", "-c"],
  runsSameOnce: true,
  distrustsChanges: false,
  alwaysGuarded: [],
});

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
