import { realpathSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { suggest } from "../../base/suggest.ts";
import type { HookConfig, ShellSettings } from "../../config/hook-config.ts";
import { mergeHooks } from "../../config/merge.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { InstalledPlugin, PluginChange, PluginStore } from "./port/plugin-store.ts";
import type { RecordedChange } from "../../record/port/run-event.ts";
import { guardedEvents, hooksOf, type LoadedPlugin, loadPlugin } from "./loaded.ts";
import { describePlan, planAdd } from "./plan.ts";
import { PluginSet } from "./plugin-set.ts";
import { removeSnapshots, writeSnapshot } from "./snapshot.ts";

export interface PluginsOptions {
  readonly home: string;
  readonly store: PluginStore;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly log: Log;
  /** The user's own file as it is now. */
  readonly user: () => { readonly hooks: readonly HookConfig[]; readonly plugins: ShellSettings };
}

/** Adds, removes and switches plugins; each change is a row of the record and holds from the next event on. */
export class Plugins {
  readonly set: PluginSet;
  readonly #options: PluginsOptions;

  constructor(options: PluginsOptions) {
    this.#options = options;
    this.set = new PluginSet(options.home, options.store, options.log);
  }

  async list() {
    await this.set.refresh();
    const settings = this.#settings();
    return this.set.loaded.map((plugin) => describePlugin(plugin, settings));
  }

  /** Those of all that are enabled, as they are loaded now. */
  hooks(): HookConfig[] {
    const settings = this.#settings();
    return this.set.loaded
      .filter(({ row }) => row.is_enabled)
      .flatMap((plugin) => hooksOf(plugin, settings).hooks);
  }

  /** What adding the folder would do. */
  async plan(folder: string) {
    const { home, user } = this.#options;
    const plan = planAdd(home, realFolder(folder));
    return describePlan(plan, user().plugins, await this.#find(plan.definition.name), home);
  }

  /** Adds the folder as it was approved: another digest is another plugin. */
  async add(folder: string, approved: string, actor: string) {
    const { home, clock, user } = this.#options;
    const { files, definition, source } = planAdd(home, realFolder(folder));
    const { name, version, digest, root } = definition;
    if (digest !== approved)
      throw new SwarmError("SWARM_PLUGIN_CHANGED", { plugin: name, approved, found: digest });
    const before = await this.#find(name);
    const time = new Date(clock.now()).toISOString();
    const row = { name, version, digest, source, guarded_events: [], is_enabled: true, time, actor };
    writeSnapshot(root, files);
    let hooks: readonly HookConfig[];
    try {
      hooks = await this.#tried(row);
      await this.set.refresh();
      const others = this.hooks().filter(({ plugin }) => plugin !== name);
      mergeHooks([user().hooks, others, hooks]);
    } catch (error) {
      removeSnapshots(home, name, before === null ? [] : [before.digest]);
      throw error;
    }
    const added = { ...row, guarded_events: guardedEvents(hooks) };
    await this.#change("plugin.added", added, actor, { kind: "plugin_added", row: added });
    // An event under way may still run from the copy before.
    removeSnapshots(home, name, [digest, ...(before === null ? [] : [before.digest])]);
    return this.#described(name);
  }

  async setEnabled(name: string, isEnabled: boolean, actor: string) {
    const row = await this.#known(name);
    const event = isEnabled ? "plugin.enabled" : "plugin.disabled";
    await this.#change(event, row, actor, {
      kind: "plugin_switched",
      row: { ...row, is_enabled: isEnabled },
    });
    return this.#described(name);
  }

  async remove(name: string, actor: string) {
    const row = await this.#known(name);
    const described = await this.#described(name);
    await this.#change("plugin.removed", row, actor, { kind: "plugin_removed", name });
    removeSnapshots(this.#options.home, name, []);
    return described;
  }

  /** A broken edit of the user's file must not hide what is installed. */
  #settings(): ShellSettings {
    try {
      return this.#options.user().plugins;
    } catch (error) {
      if (error instanceof SwarmError) return { isShellEnabled: false, shellAllowlist: [], options: {} };
      throw error;
    }
  }

  /** The hooks it has once it is loaded; one that cannot be loaded is not added. */
  async #tried(row: InstalledPlugin): Promise<readonly HookConfig[]> {
    const loaded = await loadPlugin(this.#options.home, row);
    const { hooks, problem } = hooksOf(loaded, this.#options.user().plugins);
    if (problem !== null) throw problem;
    return hooks;
  }

  async #change(
    event: RecordedChange,
    row: InstalledPlugin,
    actor: string,
    change: PluginChange,
  ): Promise<void> {
    const { name, version, digest, source } = row;
    const reason = `${name}${version === null ? "" : ` ${version}`}, digest ${digest}, from ${source}`;
    await this.#options.audit.record({ kind: "change", event, actor, hook_digest: digest, reason }, change);
    await this.set.changed();
  }

  async #find(name: string): Promise<InstalledPlugin | null> {
    return (await this.#options.store.list()).find((row) => row.name === name) ?? null;
  }

  async #known(name: string): Promise<InstalledPlugin> {
    const rows = await this.#options.store.list();
    const found = rows.find((row) => row.name === name);
    if (found !== undefined) return found;
    const names = rows.map((row) => row.name);
    throw new SwarmError("SWARM_PLUGIN_UNKNOWN", { plugin: name, suggestion: suggest(name, names) });
  }

  async #described(name: string) {
    const found = (await this.list()).find((plugin) => plugin.name === name);
    if (found === undefined)
      throw new SwarmError("SWARM_PLUGIN_UNKNOWN", { plugin: name, suggestion: undefined });
    return found;
  }
}

function describePlugin(plugin: LoadedPlugin, settings: ShellSettings) {
  const { name, version, digest, source, is_enabled, time, actor } = plugin.row;
  const { hooks, problem } = hooksOf(plugin, settings);
  return {
    name,
    version,
    digest,
    source,
    enabled: is_enabled,
    // Those of a module are known only while it is loaded.
    hooks: is_enabled ? hooks.length : null,
    problem: problem?.message ?? null,
    added_at: time,
    added_by: actor,
  };
}

/** Links are resolved once, so that what is named is what is read. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    const problem = `the folder cannot be read: ${(error as NodeJS.ErrnoException).code}`;
    throw new SwarmError("SWARM_PLUGIN_INVALID", { plugin: folder, problem }, { cause: error });
  }
}
