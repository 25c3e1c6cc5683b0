import { basename, join } from "node:path";
import { parse } from "jsonc-parser";
import type { AgentSettings } from "../../ports/adapter.ts";
import { amendHooks } from "../settings/amend-hooks.ts";
import { type HookForm, installedHooks, isPlace, otherHooks } from "../settings/hook-form.ts";
import { installHooks } from "../settings/install-hooks.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";
import { removeHooks, uninstallHooks } from "../settings/uninstall-hooks.ts";
import { codexToolEvents } from "./events.ts";
import { portCodexHook } from "./port-hook.ts";

const usualFile = ".codex/hooks.json";

/** A file of its own for hooks: with any root key but `description` and `hooks`, Codex reads none of it. */
export const codexSettings: AgentSettings = {
  file: (scope, { home, project, env }) =>
    scope === "project"
      ? join(project, ".codex", "hooks.json")
      : join(env.CODEX_HOME || join(home, ".codex"), "hooks.json"),
  install: (text, wanted, file = usualFile) => installHooks(form, text, wanted, file),
  uninstall: (text, file = usualFile) => uninstallHooks(form, text, file),
  installed: (text, file = usualFile) => installedHooks(form, text, file),
  whyInert: (text) => {
    const others = Object.keys(parse(text) ?? {}).filter((key) => key !== "hooks" && key !== "description");
    return others.length === 0 ? null : `it reads nothing of a file with the key ${others[0]}: remove that`;
  },
  amend: (text, change, file = usualFile) => amendHooks(form, text, change, file),
  others: (text, file = usualFile) => otherHooks(form, text, file),
  remove: (text, hooks, file = usualFile) => removeHooks(text, file, isPlace(hooks)),
  port: portCodexHook,
  shell: ({ SHELL }) => [basename(SHELL || "bash"), "-lc"],
  runsSameOnce: false,
  // It keeps a hash of each hook its user trusts, and skips one that differs without a word.
  distrustsChanges: true,
  // Where a denial keeps something from happening to the machine, and asking again costs nothing.
  alwaysGuarded: ["tool.before", "permission.request"],
};

/** Codex takes no `args` and hands the line to a shell; there is no `onFailure` either. */
const form: HookForm = {
  toolEvents: codexToolEvents,
  print: ({ argv, timeoutS }) => ({ type: "command", command: shellLine(argv), timeout: timeoutS }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
};
