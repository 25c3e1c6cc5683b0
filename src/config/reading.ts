import type { EventName } from "../engine/events/names.ts";
import type { Dialect, HookConfig, Skipped } from "./hook-config.ts";
import type { Position } from "./node.ts";

/** Whose file it is: a project's may only add hooks, and a plugin's hooks have shorter deadlines. */
export type Owner = "user" | "project" | PluginOwner;

export interface PluginOwner {
  readonly plugin: string;
  /** The plugin's folder; `CLAUDE_PLUGIN_ROOT` of its hooks. */
  readonly root: string;
}

/** One file while it is read. */
export interface Reading {
  readonly file: string;
  readonly owner: Owner;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly allowedVariables: readonly string[];
  /** Filled while reading. */
  readonly skipped: Skipped[];
}

/** Where a hook stands and what it is for. */
export interface Place {
  readonly at: Position;
  readonly event: EventName;
  readonly nativeEvent: string;
  readonly dialect: Dialect;
}

/** A hook before it has an id, and maybe before it has a name. */
export interface Draft extends Omit<HookConfig, "id" | "name" | "source" | "plugin"> {
  readonly at: Position;
  readonly name: string | null;
}

export function pluginOf({ owner }: Reading): PluginOwner | null {
  return typeof owner === "string" ? null : owner;
}
