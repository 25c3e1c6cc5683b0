import type { HookConfig } from "../../config/hook-config.ts";
import type { Adapter, Scope } from "../port/adapter.ts";
import { type EntryFault, inspectSettings, inspectSwitches, type SettingsReport } from "./inspect.ts";
import type { Folders } from "./install.ts";

export interface AgentInspection {
  /** Of the settings files we are, or should be, in. */
  readonly reports: readonly (SettingsReport & { readonly scope: Scope })[];
  /** What lies outside of these files: a switch in another one, or in the environment. */
  readonly switches: readonly EntryFault[];
}

/** All that an agent's settings say for and against our hooks, the user's and the project's. */
export function inspectAgent(
  adapter: Adapter,
  folders: Folders,
  home: string,
  pluginHooks: readonly HookConfig[],
): AgentInspection {
  const { settings } = adapter;
  // In the home folder the two are one.
  const isBoth = settings.file("user", folders) === settings.file("project", folders);
  const scopes: readonly Scope[] = isBoth ? ["user"] : ["user", "project"];
  const reports = scopes
    .map((scope) => ({ scope, ...inspectSettings(adapter, scope, folders, home, pluginHooks) }))
    .filter(({ isInstalled }) => isInstalled);
  const files = reports.map(({ file }) => file);
  return { reports, switches: inspectSwitches(adapter, folders, files) };
}

/** The worst there is to say; null: nothing that lets a call pass. */
export function worstFault({ reports, switches }: AgentInspection): string | null {
  const faults = [...switches, ...reports.flatMap((report) => report.faults)];
  return faults.find(({ level }) => level !== "note")?.fault ?? null;
}
