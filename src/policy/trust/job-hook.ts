import { limits } from "../../base/limits.ts";
import type { DeclaredJob } from "../../config/cron-section.ts";
import type { Action, HookConfig } from "../../config/hook-config.ts";

/** Hooks' ids are hashes: no hook has one that begins like this. */
const idPrefix = "cron:";

export function isJobId(id: string): boolean {
  return id.startsWith(idPrefix);
}

/**
 * A project's job as the hook it comes down to, so that all that holds for approving hooks holds for jobs: a person sees
 * what it says and what its files hold, and the copies of these are what runs.
 */
export function jobHook({ source, settings }: DeclaredJob): HookConfig {
  return {
    id: `${idPrefix}${settings.name}`,
    name: settings.name,
    source,
    dialect: "swarm",
    event: "cron.fired",
    nativeEvent: "cron.fired",
    match: settings.name,
    when: null,
    priority: 0,
    mode: "observe",
    onFailure: "allow",
    onDenied: false,
    timeoutMs: limits.timeoutMs,
    plugin: null,
    action: actionOf(settings),
    job: settings,
  };
}

function actionOf({ task, config }: DeclaredJob["settings"]): Action {
  const { command } = { command: null, ...(config as object | undefined) };
  // Other kinds run nothing of the project's: there is a definition to approve, and no file.
  const line = task === "custom" && typeof command === "string" ? command : "";
  return { kind: "command", argv: null, line, pluginRoot: null };
}

/** The job with the line of the hook it was judged as. */
export function jobOf(hook: HookConfig, declared: DeclaredJob): DeclaredJob {
  const { action } = hook;
  const { settings } = declared;
  if (settings.task !== "custom" || !("line" in action)) return declared;
  return {
    ...declared,
    settings: { ...settings, config: { ...(settings.config as object), command: action.line } },
  };
}
