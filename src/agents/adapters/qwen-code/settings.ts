import { basename, dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "jsonc-parser";
import type { SettingsFolders } from "../../port/adapter.ts";
import { bypassInEnv } from "../../port/bypass.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings, otherProtocol } from "../settings/json-settings.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";
import { qwenBypasses } from "./bypasses.ts";
import { qwenToolEvents } from "./events.ts";

/** From here on it takes a number for milliseconds. */
const firstMs = 1_000;

const form: HookForm = {
  lists: "groups",
  root: {},
  matcher: (native) => (qwenToolEvents.includes(native) ? "*" : null),
  print: ({ argv, timeoutS }) => ({
    type: "command",
    command: shellLine(argv),
    timeout: timeoutS < firstMs ? timeoutS : timeoutS * 1_000,
  }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
  timeoutS: ({ timeout }) =>
    secondsIn(timeout, typeof timeout === "number" && timeout >= firstMs ? 1_000 : 1),
};

const home = ({ home: user, env }: SettingsFolders) => env.QWEN_HOME || join(user, ".qwen");

export const qwenSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".qwen") : home(folders), "settings.json"),
  usualFile: ".qwen/settings.json",
  // A `.env` there can name other settings.
  decidingFiles: [
    "/**/.qwen/settings.json",
    "/**/.qwen/trustedFolders.json",
    "/**/.qwen/.env",
    "/etc/qwen-code/**",
    "/Library/Application Support/QwenCode/**",
  ],
  disablingCommands: [
    "qwen --bare",
    "qwen --safe-mode",
    "qwen hooks disable",
    "QWEN_HOME=* qwen",
    "env QWEN_HOME=* qwen",
    ...["QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_CODE_SYSTEM_DEFAULTS_PATH"].map((name) => `${name}=* *`),
  ],
  ...otherProtocol,
  whyInert: hooksOff,
  switchFiles: (folders) => [
    join(folders.project, ".qwen", "settings.json"),
    join(home(folders), "settings.json"),
    folders.env.QWEN_CODE_SYSTEM_SETTINGS_PATH || "/etc/qwen-code/settings.json",
    folders.env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || "/etc/qwen-code/system-defaults.json",
    ...envFiles(folders),
  ],
  hooksOff,
  runsSameOnce: true,
});

/** It takes variables from files named `.env`: of the project and the folders above it, and of the user's home. */
function envFiles(folders: SettingsFolders): string[] {
  const above: string[] = [];
  for (let folder = folders.project; !above.includes(folder); folder = dirname(folder)) above.push(folder);
  const within = [...above, folders.home].flatMap((folder) => [join(folder, ".qwen"), folder]);
  return [...new Set([...within, home(folders)])].map((folder) => join(folder, ".env"));
}

function hooksOff(text: string, file = ""): string | null {
  if (basename(file) === ".env") {
    const variable = bypassInEnv(parseEnv(text), qwenBypasses);
    return variable === null ? null : `it has ${variable}: remove that`;
  }
  const { disableAllHooks, env } = parse(text) ?? {};
  if (disableAllHooks === true) return "it has disableAllHooks: remove that";
  const variable = bypassInEnv(env, qwenBypasses);
  return variable === null ? null : `its env has ${variable}: remove that`;
}
