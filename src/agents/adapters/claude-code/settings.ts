import { join } from "node:path";
import type { SettingsFolders, WantedHook } from "../../port/adapter.ts";
import { bypassInEnv } from "../../port/bypass.ts";
import { isObject } from "../paths.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings } from "../settings/json-settings.ts";
import { shellWords } from "../settings/shell-line.ts";
import { claudeBypasses } from "./bypasses.ts";
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
  decidingFiles: [
    "/**/.claude/settings*.json",
    "/**/.claude/remote-settings.json",
    "/**/.claude.json",
    "/**/managed-settings.json",
    "/etc/claude-code/**",
    "/Library/Application Support/ClaudeCode/**",
  ],
  disablingCommands: [
    ...["--bare", "--safe-mode", "--setting-sources", "--restricted", "--settings"].map(
      (flag) => `claude|claude-code* ${flag}`,
    ),
    "claude|claude-code* config set",
    "CLAUDE_CONFIG_DIR=* claude",
    "env|export CLAUDE_CONFIG_DIR=* claude",
  ],
  whyInert,
  switchFiles: (folders) => [
    join(folders.project, ".claude", "settings.json"),
    join(folders.project, ".claude", "settings.local.json"),
    join(home(folders), "settings.json"),
    join(managedFolder, "managed-settings.json"),
  ],
  hooksOff,
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

/** Where an administrator's settings are on Linux. */
const managedFolder = "/etc/claude-code";

/** Without a word, 2.1.325 takes nothing of a file with a comment or a trailing comma in it. */
function whyInert(text: string): string | null {
  if (parsed(text) === null) {
    return "it ignores a settings file with comments or trailing commas: take them out";
  }
  return hooksOff(text, "");
}

/** A file it cannot read switches nothing off. */
function hooksOff(text: string, file: string): string | null {
  const { disableAllHooks, allowManagedHooksOnly, env } = parsed(text) ?? {};
  if (disableAllHooks === true) return "it has disableAllHooks: remove that";
  const variable = bypassInEnv(env, claudeBypasses);
  if (variable !== null) return `its env has ${variable}: remove that`;
  const isManaged = file.startsWith(managedFolder);
  return isManaged && allowManagedHooksOnly === true
    ? "it has allowManagedHooksOnly: an administrator has to put our entries into the managed settings"
    : null;
}

/** As Claude Code reads it: strictly, but for a byte order mark. Null: not at all. */
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, "") || "{}");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
