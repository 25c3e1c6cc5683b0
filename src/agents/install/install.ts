import { textDiff } from "../../base/text-diff.ts";
import type { Config } from "../../config/hook-config.ts";
import type { Adapter, OtherHook, Scope, SettingsFolders } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import type { ClientProgram } from "./client-program.ts";
import { applyEdits, type FileEdit, readText, sha256 } from "./edit-files.ts";
import { wantedEntries } from "./entries.ts";
import { type NeedsByFile, needsNow, needsOf, needsOfAll } from "./entry-needs.ts";
import { changingSettings, type Installation, Installations } from "./installations.ts";
import { type Migration, movedFrom, planMigration } from "./migrate.ts";
import { readProjectSettings } from "./project-settings.ts";

/** Of the user's own home, where agents keep their settings, and the project's. */
export type Folders = SettingsFolders;

/** What would be done to one settings file. */
export interface Change extends FileEdit {
  readonly agent: AgentName;
  readonly scope: Scope;
  /** Empty when there is nothing to do. */
  readonly diff: readonly string[];
}

export interface InstallChange extends Change {
  readonly after: string;
  readonly project: string | null;
  readonly needs: NeedsByFile;
  readonly hadOurs: boolean;
}

export interface InstallPlan {
  readonly changes: readonly InstallChange[];
  /** Null unless the user's own hooks were to be moved. */
  readonly migration: Migration | null;
}

export interface InstallOptions {
  /** `SWARM_HOME`. */
  readonly home: string;
  readonly scope: Scope;
  readonly folders: Folders;
  readonly client: ClientProgram;
  /** What is in force in this folder. */
  readonly config: Config;
  readonly isMigrating: boolean;
}

/** How long another process that changes settings is waited for. */
const lockWaitMs = 2_000;

/** What installing would change: every event the agent and we both have; `--guard` where a guard is in force. */
export function planInstall(adapters: readonly Adapter[], options: InstallOptions): InstallPlan {
  const { scope, folders, isMigrating } = options;
  const files = adapters.map((adapter) => {
    const file = adapter.settings.file(scope, folders);
    return { adapter, file, before: readSettings(file, options) };
  });
  const migration = isMigrating ? planMigration(files, options) : null;
  const config = migration === null ? options.config : { ...options.config, hooks: migration.hooks };
  const changes = files.map(({ adapter, file, before }) =>
    planChange(adapter, file, before, movedFrom(migration, adapter.agent), config, options),
  );
  return { changes, migration };
}

function readSettings(
  file: string,
  { scope, folders, home }: Pick<InstallOptions, "scope" | "folders" | "home">,
): string | null {
  if (scope === "user") return readText(file);
  return readProjectSettings(file, folders.project, { home: folders.home, swarmHome: home });
}

function planChange(
  adapter: Adapter,
  file: string,
  before: string | null,
  moved: readonly OtherHook[],
  config: Config,
  { home, scope, folders, client }: InstallOptions,
): InstallChange {
  const { agent, settings } = adapter;
  const noted = new Installations(home).find(file)?.needs ?? {};
  const pluginHooks = config.hooks.filter(({ plugin }) => plugin !== null);
  const needs = { ...needsNow(noted, [], { home, env: folders.env, pluginHooks }), ...needsOf(config) };
  const own = settings.remove(before ?? "", moved, file);
  const wanted = wantedEntries(adapter, client, needsOfAll(needs));
  const after = settings.install(own, wanted, file);
  return {
    agent,
    scope,
    file,
    before,
    after,
    diff: textDiff(before ?? "", after),
    project: scope === "project" ? folders.project : null,
    needs,
    hadOurs: settings.installed(before ?? "", file).length > 0,
  };
}

/** Writes all of it or nothing, and notes how it can be undone. */
export function applyInstall({ changes, migration }: InstallPlan, home: string): void {
  const installations = new Installations(home);
  const write = (): void => {
    // Noted first: what is written without a note could not be put back.
    for (const change of changes) {
      if (change.after !== change.before || installations.find(change.file) === null)
        installations.note(change);
      else installations.noteNeeds(installations.find(change.file) as Installation, change.needs);
    }
    noteMoves(installations, changes, migration);
    // The configuration first: a crash in between leaves hooks in both places, which is better than in none.
    applyEdits([migration?.config ?? [], changes].flat());
  };
  changingSettings(home, lockWaitMs, () => installations.orAsBefore(write));
}

function noteMoves(
  installations: Installations,
  changes: readonly InstallChange[],
  migration: Migration | null,
): void {
  if (migration === null) return;
  const { file, before } = migration.config;
  let config_backup: string | null | undefined;
  for (const change of changes) {
    if (movedFrom(migration, change.agent).length === 0) continue;
    config_backup ??= installations.copy(file, before);
    const settings_backup = installations.copy(change.file, change.before);
    const time = new Date().toISOString();
    installations.noteMoved(change.file, { time, config: file, config_backup, settings_backup });
  }
}

/** What uninstalling would change: the file as it was, or, if it was edited since, without our entries. */
export function planUninstall(adapter: Adapter, scope: Scope, folders: Folders, home: string): Change {
  return planRestore(adapter, scope, adapter.settings.file(scope, folders), home);
}

/** The same of a settings file, wherever the environment says by now that the agent's are. */
export function planRestore(adapter: Adapter, scope: Scope, file: string, home: string): Change {
  const before = readText(file);
  const after = before === null ? null : restored(adapter, new Installations(home).find(file), before, file);
  return { agent: adapter.agent, scope, file, before, after, diff: textDiff(before ?? "", after ?? "") };
}

/** Puts the file back, or takes our entries out of it, and forgets about it; returns what was known. */
export function applyUninstall(change: Change, home: string): Installation | null {
  return changingSettings(home, lockWaitMs, () => {
    const installations = new Installations(home);
    applyEdits([change]);
    const known = installations.find(change.file);
    if (known !== null) installations.forget(known);
    return known;
  });
}

function restored(adapter: Adapter, noted: Installation | null, before: string, file: string): string | null {
  const isUntouched = noted?.is_original === true && sha256(before) === noted.written_sha256;
  if (isUntouched) return noted.backup === null ? null : readText(noted.backup);
  const without = adapter.settings.uninstall(before, file);
  // Nothing is left of a file that held our entries alone.
  return without === "" && before !== "" ? null : without;
}
