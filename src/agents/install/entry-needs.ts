import { dirname } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import type { Config, HookConfig } from "../../config/hook-config.ts";
import { loadConfig } from "../../config/load.ts";
import type { EventName } from "../../engine/events/names.ts";

/** What the hooks for one event ask of an agent's entry for it. */
export interface EntryNeeds {
  /** One of them denies when it fails: so must the entry when nobody can be asked. */
  readonly guard: boolean;
  /** How long the agent has to wait at least. */
  readonly timeout_s: number;
}

export type NeedsByEvent = Readonly<Partial<Record<EventName, EntryNeeds>>>;
/** Configuration file → what its hooks ask for; files that ask for nothing special are left out. */
export type NeedsByFile = Readonly<Record<string, NeedsByEvent>>;

/** How long an agent waits for us, unless a hook may take longer. */
export const hostTimeoutS = 60;

/** Events with an entry only while there is a hook for them: agents raise them with every request, or every piece of an answer. */
const entriesOnDemand: readonly EventName[] = ["model.before", "model.after"];

/** What this configuration asks for. Flags have no part in it: switching hooks off and on again is no reason to edit settings. */
export function needsOf({ hooks, policy, approvals }: Needing): NeedsByFile {
  const byFile: Record<string, Record<string, EntryNeeds>> = {};
  // Permission rules deny when nobody can be asked; while a person is, the agent waits.
  const ruled = { guard: true, timeout_s: Math.max(hostTimeoutS, Math.ceil(approvals.waitMs / 1_000) + 5) };
  for (const file of policy.declaredIn) byFile[file] = { "tool.before": ruled };
  for (const { event, onFailure, mode, timeoutMs, source } of hooks) {
    const guard = onFailure === "deny";
    // A second more than the hook has, so that it is the hook's own deadline that ends it. Nobody waits for observers.
    const ownS = mode === "observe" ? 0 : Math.ceil(timeoutMs / 1_000) + 1;
    const needs = { guard, timeout_s: Math.max(hostTimeoutS, ownS) };
    const isSpecial = guard || needs.timeout_s !== hostTimeoutS || entriesOnDemand.includes(event);
    if (!isSpecial) continue;
    byFile[source.file] ??= {};
    const its = byFile[source.file] ?? {};
    its[event] = both(its[event], needs);
  }
  return byFile;
}

type Needing = Pick<Config, "hooks" | "policy" | "approvals">;

/** What all files together ask for. */
export function needsOfAll(needs: NeedsByFile): NeedsByEvent {
  const all: Record<string, EntryNeeds> = {};
  for (const its of Object.values(needs)) {
    for (const [event, more] of Object.entries(its)) all[event] = both(all[event], more);
  }
  return all;
}

export interface NeedsOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** They hold in every folder. */
  readonly pluginHooks: readonly HookConfig[];
  /** Whether a person approved guards in this file: it goes on asking for what it did, although they are gone. */
  readonly hasApprovedGuards?: (file: string) => boolean;
}

/**
 * What is asked for now, by the files that were noted and by those that count in these folders. A file that is gone
 * asks for nothing any more; one that is broken, or whose approved guards are gone, goes on asking for what it did.
 */
export function needsNow(
  noted: NeedsByFile,
  folders: readonly string[],
  { home, env, pluginHooks, hasApprovedGuards = () => false }: NeedsOptions,
): NeedsByFile {
  const needs: Record<string, NeedsByEvent> = {};
  for (const folder of new Set([...Object.keys(noted).map((file) => dirname(file)), ...folders])) {
    try {
      const config = loadConfig({ home, cwd: folder, env });
      Object.assign(needs, needsOf({ ...config, hooks: [...config.hooks, ...pluginHooks] }));
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      const kept = Object.entries(noted).filter(([file]) => dirname(file) === folder);
      Object.assign(needs, Object.fromEntries(kept));
    }
  }
  for (const [file, before] of Object.entries(noted))
    if (hasApprovedGuards(file)) needs[file] = needsOfAll({ before, now: needs[file] ?? {} });
  return needs;
}

function both(one: EntryNeeds | undefined, other: EntryNeeds): EntryNeeds {
  if (one === undefined) return other;
  return { guard: one.guard || other.guard, timeout_s: Math.max(one.timeout_s, other.timeout_s) };
}
