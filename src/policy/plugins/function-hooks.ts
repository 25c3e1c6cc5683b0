import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SwarmError } from "../../base/errors.ts";
import { show } from "../../base/show.ts";
import type { FunctionAction, HookConfig } from "../../config/hook-config.ts";
import { hookId, pluginPlace } from "../../config/identity.ts";
import { configLimits } from "../../config/limits.ts";
import { mergeHooks } from "../../config/merge.ts";
import { canonicalName } from "../../engine/events/names.ts";
import { createHooks, type Hooks, type Undo } from "../../engine/hooks/create-hooks.ts";
import type { When } from "../../engine/hooks/when.ts";
import type { HandlerFunction } from "../../engine/hooks/handler.ts";
import type { PluginDefinition } from "./definition.ts";
import { pluginLimits } from "./limits.ts";

/** What a plugin's module exports as `hooks`: it registers functions as with the `on` of `createHooks`. */
export type RegisterHooks = (hooks: Pick<Hooks, "on">, options: Readonly<Record<string, unknown>>) => unknown;

/** Loads the module, which runs its code in this process, with all that this process may do. */
export async function importFunctions({
  name,
  root,
  module,
}: PluginDefinition): Promise<RegisterHooks | null> {
  if (module === null) return null;
  const address = pathToFileURL(join(root, module)).href;
  const { hooks } = await withinTime(name, module, import(address) as Promise<{ hooks?: unknown }>);
  if (typeof hooks === "function") return hooks as RegisterHooks;
  throw invalid(name, `${module} exports hooks as ${show(hooks)}, expected a function`);
}

/** The hooks that the module registers with these options, by the same checks as every other function hook. */
export function functionHooks(
  definition: PluginDefinition,
  register: RegisterHooks,
  options: Readonly<Record<string, unknown>>,
): HookConfig[] {
  const collector = new Collector(definition);
  try {
    register({ on: collector.on as Hooks["on"] }, structuredClone(options));
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    throw invalid(definition.name, `${definition.module} threw: ${describe(error)}`, error);
  }
  return mergeHooks([collector.hooks]);
}

class Collector {
  readonly hooks: HookConfig[] = [];
  readonly #definition: PluginDefinition;
  /** Checks what is registered as an engine does; nothing is ever emitted to it. */
  readonly #probe = createHooks();

  constructor(definition: PluginDefinition) {
    this.#definition = definition;
  }

  readonly on = (written: string, ...rest: unknown[]): Undo => {
    const [given, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
    const options = (given ?? {}) as Readonly<Record<string, unknown>>;
    const { name: plugin, root, module, digest } = this.#definition;
    const event = canonicalName(written);
    const label = this.#labelOf(options.name, handler);
    const name = `${plugin}/${label}`;
    const timeoutMs = options.timeoutMs ?? configLimits.pluginTimeoutMs;
    this.#probe.on(event, { ...options, name, plugin, timeoutMs } as never, handler as never);
    const checked = this.#probe.list().find((hook) => hook.name === name);
    if (checked === undefined) throw invalid(plugin, `its hook ${show(name)} was not registered`);
    if (checked.timeoutMs > configLimits.maxPluginTimeoutMs) {
      const max = configLimits.maxPluginTimeoutMs / 1_000;
      throw invalid(
        plugin,
        `its hook ${show(name)} has ${checked.timeoutMs} ms, expected at most ${max} seconds`,
      );
    }
    let isActive = true;
    const called = handler as HandlerFunction;
    const isCode = typeof options.when === "function";
    const { match, mode, priority, onFailure, onDenied } = checked;
    this.hooks.push({
      id: hookId(pluginPlace(plugin), event, label),
      name,
      source: { file: join(root, module ?? ""), line: 1, column: 1 },
      dialect: "swarm",
      event,
      nativeEvent: written,
      match,
      when: isCode ? null : ((options.when as When | undefined) ?? null),
      priority,
      mode,
      onFailure,
      onDenied,
      timeoutMs: checked.timeoutMs,
      plugin,
      action: {
        kind: "function",
        module: module ?? "",
        digest,
        handler: (data, call) => (isActive ? called(data, call) : undefined),
        condition: isCode ? (options.when as FunctionAction["condition"]) : null,
      },
    });
    return () => {
      isActive = false;
    };
  };

  #labelOf(given: unknown, handler: unknown): string {
    if (typeof given === "string") return given;
    const own = typeof handler === "function" && handler.name !== "" ? handler.name : "function";
    return `${own}#${this.hooks.length + 1}`;
  }
}

/** A module that never finishes loading must not hold up every event. */
async function withinTime<T>(plugin: string, module: string, loading: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const problem = `${module} did not load within ${pluginLimits.loadMs} ms`;
  const timer = setTimeout(() => reject(invalid(plugin, problem)), pluginLimits.loadMs);
  try {
    return await Promise.race([loading, late]);
  } catch (error) {
    if (error instanceof SwarmError) throw error;
    throw invalid(plugin, `${module} cannot be loaded: ${describe(error)}`, error);
  } finally {
    clearTimeout(timer);
  }
}

function invalid(plugin: string, problem: string, cause?: unknown): SwarmError {
  return new SwarmError("SWARM_PLUGIN_INVALID", { plugin, problem }, { cause });
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : show(error);
}
