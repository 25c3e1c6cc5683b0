import { SwarmError } from "../../base/errors.ts";
import { suggest } from "../../base/suggest.ts";
import { hookDigest } from "../../config/digest.ts";
import { hookWarnings } from "../../config/hook-warnings.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { modes } from "../../engine/events/outcome.ts";
import type { Project } from "../runtime/project.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { trustStates } from "../../policy/trust/judge.ts";
import { closed } from "../rest/schemas.ts";
import { count, string, stringOrNull } from "../rest/shapes.ts";

/** A hook as every surface shows it: nothing of what its address, headers and secret hold. */
export async function describeHook(runtime: Runtime, project: Project, hook: HookConfig) {
  const { id, name, event, match, when, mode, priority, timeoutMs, onFailure, onDenied, plugin, dialect } =
    hook;
  const { file, line, column } = hook.source;
  const { last_status: last_result, ...totals } = await runtime.store.hookTotals(id);
  return {
    id,
    name,
    event,
    match,
    when,
    kind: hook.action.kind,
    mode,
    priority,
    timeout_s: timeoutMs / 1000,
    on_failure: onFailure,
    on_denied: onDenied,
    plugin,
    dialect,
    source: `${file}:${line}:${column}`,
    trust: project.trustOf(id),
    digest: hookDigest(hook),
    enabled: runtime.switches.isEnabled(id),
    warnings: hookWarnings(hook),
    last_result,
    ...totals,
  };
}

/** By id, or by name where a person writes it. */
export async function findHook(
  runtime: Runtime,
  written: string,
  cwd: string | undefined,
): Promise<{ readonly project: Project; readonly hook: HookConfig }> {
  const project = await runtime.projects.refresh(cwd);
  const { hooks } = project.config;
  const hook = hooks.find(({ id, name }) => id === written || name === written);
  if (hook !== undefined) return { project, hook };
  const suggestion = suggest(
    written,
    hooks.flatMap(({ id, name }) => [id, name]),
  );
  throw new SwarmError("SWARM_HOOK_UNKNOWN", { hook: written, suggestion });
}

export const hookSchema: JsonSchema = closed({
  id: string,
  name: string,
  event: string,
  match: string,
  when: { type: ["object", "null"] },
  kind: string,
  mode: { enum: modes },
  priority: { type: "number" },
  timeout_s: { type: "number" },
  on_failure: { enum: ["allow", "deny"] },
  on_denied: { type: "boolean" },
  plugin: stringOrNull,
  dialect: string,
  source: { ...string, description: "file:line:column" },
  trust: { enum: trustStates },
  digest: string,
  enabled: { type: "boolean" },
  warnings: { type: "array", items: string, description: "What is allowed in it and hardly meant." },
  last_result: stringOrNull,
  calls: { ...count, description: "Of its last thousand, as are the next two." },
  failures: count,
  denials: count,
  last_reason: stringOrNull,
  last_at: stringOrNull,
});
