import { join } from "node:path";
import { parse } from "jsonc-parser";
import { eventVariable, type SettingsFolders } from "../../port/adapter.ts";
import { type HookForm, secondsIn } from "../settings/hook-form.ts";
import { jsonSettings, otherProtocol } from "../settings/json-settings.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";

const form: HookForm = {
  lists: "hooks",
  root: { version: 1 },
  matcher: () => null,
  print: ({ native, argv, timeoutS }) => ({
    type: "command",
    bash: shellLine(argv),
    timeoutSec: timeoutS,
    env: { [eventVariable]: native },
  }),
  argv: ({ bash, command }) => {
    const line = bash ?? command;
    return typeof line === "string" ? shellWords(line) : null;
  },
  timeoutS: ({ timeoutSec, timeout }) => secondsIn(timeoutSec ?? timeout),
};

const home = ({ home: user, env }: SettingsFolders) => env.COPILOT_HOME || join(user, ".copilot");

/** It reads every file of the folder; ours is one of its own. */
const name = join("hooks", "swarm-hooks.json");

export const copilotSettings = jsonSettings(form, {
  home,
  file: (scope, folders) =>
    join(scope === "project" ? join(folders.project, ".github") : home(folders), name),
  usualFile: ".github/hooks/swarm-hooks.json",
  decidingFiles: [
    "/**/.github/hooks/*.json",
    "/**/.github/copilot/settings*.json",
    "/**/.copilot/hooks/*.json",
    "/**/.copilot/config.json",
    "/**/.copilot/settings*.json",
    "/**/swarm-hooks.json",
  ],
  disablingCommands: ["copilot config", "COPILOT_HOME=* copilot", "env COPILOT_HOME=* copilot"],
  ...otherProtocol,
  whyInert: hooksOff,
  // A repository's settings switch off the user's hooks too, Claude Code's among them; the user's own settings do not.
  switchFiles: ({ project }) =>
    [".github/copilot", ".claude"].flatMap((folder) =>
      ["settings.json", "settings.local.json"].map((file) => join(project, folder, file)),
    ),
  hooksOff,
  runsSameOnce: false,
});

function hooksOff(text: string): string | null {
  return parse(text)?.disableAllHooks === true ? "it has disableAllHooks: remove that" : null;
}
