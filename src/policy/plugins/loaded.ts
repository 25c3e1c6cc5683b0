import { SwarmError } from "../../base/errors.ts";
import type { Config, HookConfig, PluginSettings } from "../../config/hook-config.ts";
import { hookId, pluginPlace } from "../../config/identity.ts";
import { mergeHooks } from "../../config/merge.ts";
import { canonicalByName } from "../../engine/events/names.ts";
import type { InstalledPlugin } from "./port/plugin-store.ts";
import { type PluginDefinition, readDefinition } from "./definition.ts";
import { functionHooks, importFunctions, type RegisterHooks } from "./function-hooks.ts";
import { readSnapshot, snapshotRoot } from "./snapshot.ts";

/** An installed plugin as it is in this process. */
export interface LoadedPlugin {
  readonly row: InstalledPlugin;
  /** Its private copy. */
  readonly root: string;
  readonly definition: PluginDefinition | null;
  readonly register: RegisterHooks | null;
  /** Why it cannot be used; null when it can. */
  readonly problem: SwarmError | null;
}

/** Reads a plugin's private copy, checks that it is what was approved, and loads its module. */
export async function loadPlugin(home: string, row: InstalledPlugin): Promise<LoadedPlugin> {
  const root = snapshotRoot(home, row.name, row.digest);
  try {
    const definition = readDefinition(readSnapshot(row.name, root, row.digest), root, () => root);
    // What is disabled runs no code, not even while it is loaded.
    const register = row.is_enabled ? await importFunctions(definition) : null;
    return { row, root, definition, register, problem: null };
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return { row, root, definition: null, register: null, problem: error };
  }
}

/** The configuration with the hooks of the plugins that are enabled. */
export function withPlugins(config: Config, plugins: readonly LoadedPlugin[]): Config {
  const enabled = plugins.filter(({ row }) => row.is_enabled);
  if (enabled.length === 0) return config;
  const added = enabled.map((plugin) => hooksOf(plugin, config.plugins));
  const skipped = enabled.flatMap(({ row, root, definition }, at) => {
    const reason = added[at]?.problem?.message;
    const broken = { source: { file: root, line: 1, column: 1 }, nativeEvent: row.name };
    return [...(definition?.skipped ?? []), ...(reason === undefined ? [] : [{ ...broken, reason }])];
  });
  return {
    ...config,
    hooks: mergeHooks([config.hooks, ...added.map(({ hooks }) => hooks)]),
    skipped: [...config.skipped, ...skipped],
  };
}

export interface PluginHooks {
  readonly hooks: readonly HookConfig[];
  readonly problem: SwarmError | null;
}

/** A plugin's hooks under the user's settings. One that cannot be used has its guards all the same: they fail. */
export function hooksOf(plugin: LoadedPlugin, { options }: PluginSettings): PluginHooks {
  const { row, definition, register } = plugin;
  const problem = plugin.problem;
  if (definition === null) return { hooks: failingGuards(plugin, problem), problem };
  try {
    const own = Object.hasOwn(options, row.name) ? (options[row.name] ?? {}) : {};
    const functions = register === null ? [] : functionHooks(definition, register, own);
    return { hooks: mergeHooks([definition.hooks, functions]), problem };
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return { hooks: failingGuards(plugin, error), problem: error };
  }
}

/** Events it guards, by the hooks it has now. */
export function guardedEvents(hooks: readonly HookConfig[]): string[] {
  return [...new Set(hooks.filter(({ onFailure }) => onFailure === "deny").map(({ event }) => event))];
}

function failingGuards({ row, root }: LoadedPlugin, problem: SwarmError | null): HookConfig[] {
  return row.guarded_events.flatMap((written) => {
    const event = canonicalByName.get(written);
    if (event === undefined) return [];
    const fail = () => {
      throw problem ?? new SwarmError("SWARM_PLUGIN_INVALID", { plugin: row.name, problem: "it is broken" });
    };
    return [
      {
        id: hookId(pluginPlace(row.name), event, "broken"),
        name: `${row.name}/broken ${event}`,
        source: { file: root, line: 1, column: 1 },
        dialect: "swarm",
        event,
        nativeEvent: event,
        match: "*",
        when: null,
        priority: 0,
        mode: "guard",
        onFailure: "deny",
        onDenied: false,
        timeoutMs: 1_000,
        plugin: row.name,
        action: { kind: "function", module: "", digest: row.digest, handler: fail, condition: null },
      } satisfies HookConfig,
    ];
  });
}
