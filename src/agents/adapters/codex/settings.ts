import { basename, join } from "node:path";
import { parse } from "jsonc-parser";
import type { SettingsFolders } from "../../port/adapter.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings } from "../settings/json-settings.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";
import { codexToolEvents } from "./events.ts";
import { portCodexHook } from "./port-hook.ts";

/** Codex takes no `args` and hands the line to a shell; there is no `onFailure` either. */
const form: HookForm = {
  lists: "groups",
  root: {},
  matcher: (native) => (codexToolEvents.includes(native) ? "*" : null),
  print: ({ argv, timeoutS }) => ({ type: "command", command: shellLine(argv), timeout: timeoutS }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
  timeoutS: ({ timeout }) => secondsIn(timeout),
};

const home = ({ home: user, env }: SettingsFolders) => env.CODEX_HOME || join(user, ".codex");

/** A file of its own for hooks: with any root key but `description` and `hooks`, Codex reads none of it. */
export const codexSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".codex") : home(folders), "hooks.json"),
  usualFile: ".codex/hooks.json",
  // A profile is a `NAME.config.toml` of its own.
  decidingFiles: [
    "/**/.codex/hooks.json",
    "/**/.codex/*config.toml",
    "/**/.codex/requirements.toml",
    "/etc/codex/**",
  ],
  disablingCommands: [
    "codex features disable",
    "codex --disable",
    "codex --ignore-user-config",
    "CODEX_HOME=* codex",
    "env CODEX_HOME=* codex",
    "codex -cfeatures.hooks",
    "codex --config=features.hooks",
    // With a command and a prompt before the option, with one of them, and without.
    ...["", "* ", "* * "].flatMap((before) => [
      `codex ${before}-c *features*`,
      `codex ${before}--config *features*`,
    ]),
  ],
  whyInert: (text) => {
    const others = Object.keys(parse(text) ?? {}).filter((key) => key !== "hooks" && key !== "description");
    return others.length === 0 ? null : `it reads nothing of a file with the key ${others[0]}: remove that`;
  },
  // Its switches are in config.toml, whose trust in hooks is read by those who read the rest of it.
  switchFiles: () => [],
  hooksOff: () => null,
  port: portCodexHook,
  shell: ({ SHELL }) => [basename(SHELL || "bash"), "-lc"],
  runsSameOnce: false,
  // It keeps a hash of each hook its user trusts, and skips one that differs without a word.
  distrustsChanges: true,
  // Where a denial keeps something from happening to the machine, and asking again costs nothing.
  alwaysGuarded: ["tool.before", "permission.request"],
});
