import { homedir } from "node:os";
import { sep } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import type { Adapter, Scope, WantedHook } from "../port/adapter.ts";
import type { AgentName } from "../port/agents.ts";
import { applyEdits, readText } from "./edit-files.ts";
import { entryFor, hasGuard } from "./entries.ts";
import { type NeedsByEvent, needsNow, needsOfAll } from "./entry-needs.ts";
import { changingSettings, type Installation, Installations } from "./installations.ts";
import { readProjectSettings } from "./project-settings.ts";

export interface UpdateOptions {
  /** `SWARM_HOME`. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly adapters: Readonly<Record<AgentName, Adapter>>;
  readonly pluginHooks: readonly HookConfig[];
  readonly hasApprovedGuards: (file: string) => boolean;
  /** Where another configuration has come into force; null: look at all that are known. */
  readonly folder: string | null;
  /** How long another process that changes settings is waited for. */
  readonly lockWaitMs: number;
}

/** What became of one settings file whose entries are not what the hooks in force need. */
export interface EntryUpdate {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  /** `left`: it is as it was, and the detail says why. */
  readonly result: "updated" | "left";
  readonly detail: string;
}

/**
 * Brings the entries of every settings file we have installed into up to what the hooks in force need: `--guard` where
 * there is a guard and nowhere else, and time enough. Only entries of ours that are there are changed: one that
 * somebody took out stays out.
 */
export function updateEntries(options: UpdateOptions): EntryUpdate[] {
  const installations = new Installations(options.home);
  if (installations.list().length === 0) return [];
  return changingSettings(options.home, options.lockWaitMs, () =>
    installations
      .list()
      .filter(({ project }) => isConcerned(project, options.folder))
      .flatMap((known) => update(installations, known, options)),
  );
}

/** A project's settings are read by agents that work in it. */
function isConcerned(project: string | null, folder: string | null): boolean {
  return project === null || folder === null || folder === project || folder.startsWith(project + sep);
}

function update(
  installations: Installations,
  known: Installation,
  { home, env, adapters, pluginHooks, hasApprovedGuards, folder }: UpdateOptions,
): EntryUpdate[] {
  const { agent, scope, file, project } = known;
  const told = (result: EntryUpdate["result"], detail: string) => [{ agent, scope, file, result, detail }];
  const adapter = adapters[agent];
  if (adapter === undefined) return [];
  try {
    const needs = needsNow(known.needs, [folder ?? project ?? home], {
      home,
      env,
      pluginHooks,
      hasApprovedGuards,
    });
    installations.noteNeeds(known, needs);
    const names = { home: homedir(), swarmHome: home };
    const before = project === null ? readText(file) : readProjectSettings(file, project, names);
    if (before === null) return [];
    const { after, changes } = amended(adapter, before, needsOfAll(needs), file);
    if (changes.length === 0) return [];
    const what = changes.join(", ");
    if (adapter.settings.distrustsChanges) return told("left", `${what}: ${afterReview(adapter)}`);
    installations.orAsBefore(() => {
      installations.note({ ...known, needs, before, after, hadOurs: true });
      applyEdits([{ file, before, after }]);
    });
    return told("updated", what);
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    return told("left", error.message);
  }
}

/** What a person has to do where we must not: a changed entry would be skipped until its user has looked at it. */
export function afterReview({ agent, title }: Adapter): string {
  return `run swarm install ${agent}, then have ${title} trust the changed hooks: until then it skips them`;
}

function amended(adapter: Adapter, text: string, needs: NeedsByEvent, file: string) {
  const changes: string[] = [];
  const after = adapter.settings.amend(
    text,
    (entry) => {
      const wanted = entryFor(adapter, entry, needs);
      changes.push(...differences(entry, wanted));
      return wanted;
    },
    file,
  );
  return { after, changes };
}

/** In words: `PreToolUse with --guard`. */
export function differences(entry: WantedHook, wanted: WantedHook): string[] {
  const { native } = entry;
  const isGuarded = hasGuard(wanted);
  return [
    ...(hasGuard(entry) === isGuarded ? [] : [`${native} ${isGuarded ? "with" : "without"} --guard`]),
    ...(entry.timeoutS === wanted.timeoutS ? [] : [`${native} waits ${wanted.timeoutS} s`]),
  ];
}
