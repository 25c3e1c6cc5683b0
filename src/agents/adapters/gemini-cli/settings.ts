import { join } from "node:path";
import { parse } from "jsonc-parser";
import type { SettingsFolders } from "../../port/adapter.ts";
import { isObject } from "../paths.ts";
import { type HookForm, ourArgv, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings, otherProtocol } from "../settings/json-settings.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";

/** Milliseconds, where all others count seconds. */
const perSecond = 1_000;

/** PreCompress tells of a compaction only when a person asked for it. */
const matchers: Readonly<Record<string, string>> = {
  BeforeTool: "*",
  AfterTool: "*",
  PreCompress: "manual",
};

const form: HookForm = {
  lists: "groups",
  root: {},
  matcher: (native) => matchers[native] ?? null,
  print: ({ argv, timeoutS }) => ({
    type: "command",
    command: shellLine(argv),
    timeout: timeoutS * perSecond,
  }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
  timeoutS: ({ timeout }) => secondsIn(timeout, perSecond),
};

const home = ({ home: user, env }: SettingsFolders) => join(env.GEMINI_CLI_HOME || user, ".gemini");

export const geminiSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".gemini") : home(folders), "settings.json"),
  usualFile: ".gemini/settings.json",
  // A `.env` there can name other settings.
  decidingFiles: [
    "/**/.gemini/settings.json",
    "/**/.gemini/trustedFolders.json",
    "/**/.gemini/.env",
    "/etc/gemini-cli/**",
    "/Library/Application Support/GeminiCli/**",
  ],
  disablingCommands: [
    "gemini hooks disable",
    "GEMINI_CLI_HOME=* gemini",
    "env GEMINI_CLI_HOME=* gemini",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH=* *",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=* *",
  ],
  ...otherProtocol,
  whyInert: hooksOff,
  switchFiles: (folders) => [
    join(folders.project, ".gemini", "settings.json"),
    join(home(folders), "settings.json"),
    folders.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || "/etc/gemini-cli/settings.json",
    folders.env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || "/etc/gemini-cli/system-defaults.json",
  ],
  hooksOff,
  runsSameOnce: true,
});

/** A hook without a name is switched off by its command. */
function hooksOff(text: string): string | null {
  const config: unknown = parse(text)?.hooksConfig;
  if (!isObject(config)) return null;
  if (config.enabled === false) return "it has hooksConfig.enabled: false: remove that";
  const names: readonly unknown[] = Array.isArray(config.disabled) ? config.disabled : [];
  const isOurs = (name: unknown) =>
    typeof name === "string" && ourArgv(form, { type: "command", command: name }) !== null;
  return names.some(isOurs) ? "its hooksConfig.disabled lists our hook: remove that" : null;
}
