import { join } from "node:path";
import type { AgentSettings } from "../../ports/adapter.ts";
import { type HookForm, installedHooks, otherHooks } from "../settings/hook-form.ts";
import { installHooks } from "../settings/install-hooks.ts";
import { shellLine, shellWords } from "../settings/shell-line.ts";
import { uninstallHooks } from "../settings/uninstall-hooks.ts";
import { codexToolEvents } from "./events.ts";

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
  others: (text, file = usualFile) => otherHooks(form, text, file),
};

/** Codex takes no `args` and hands the line to a shell; there is no `onFailure` either. */
const form: HookForm = {
  toolEvents: codexToolEvents,
  print: ({ argv, timeoutS }) => ({ type: "command", command: shellLine(argv), timeout: timeoutS }),
  argv: ({ command }) => (typeof command === "string" ? shellWords(command) : null),
};
