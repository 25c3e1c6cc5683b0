import { isAbsolute } from "node:path";
import { SwarmError } from "../../base/errors.ts";
import { isExecutable } from "../../base/is-executable.ts";
import type { HookConfig } from "../../config/hook-config.ts";
import type { Adapter, InstalledHook, Scope } from "../port/adapter.ts";
import { bypassesIn } from "../port/bypass.ts";
import { clientProblem } from "./client-digest.ts";
import { readText } from "./edit-files.ts";
import { entryFor, hasGuard, isWanted } from "./entries.ts";
import { type NeedsByEvent, needsNow, needsOfAll } from "./entry-needs.ts";
import type { Folders } from "./install.ts";
import { Installations } from "./installations.ts";
import { afterReview } from "./update.ts";

/** What is wrong with the entries of one settings file, the worst first. */
export interface EntryFault {
  /** `broken`: calls fail. `inert`: a guard does not do what it says. `note`: nothing is at risk. */
  readonly level: "broken" | "inert" | "note";
  readonly fault: string;
}

export interface SettingsReport {
  readonly file: string;
  readonly entries: readonly InstalledHook[];
  /** Whether we are, or should be, in this file. */
  readonly isInstalled: boolean;
  readonly faults: readonly EntryFault[];
}

/** Compares the entries in an agent's settings with the hooks in force, here and wherever else they were seen. */
export function inspectSettings(
  adapter: Adapter,
  scope: Scope,
  folders: Folders,
  home: string,
  pluginHooks: readonly HookConfig[],
): SettingsReport {
  const file = adapter.settings.file(scope, folders);
  const noted = new Installations(home).find(file);
  const needs = needsNow(noted?.needs ?? {}, [folders.project], { home, env: folders.env, pluginHooks });
  try {
    const text = readText(file) ?? "";
    const entries = adapter.settings.installed(text, file);
    const isInstalled = entries.length > 0 || noted !== null;
    const faults = isInstalled ? faultsOf(adapter, { text, file, home }, entries, needsOfAll(needs)) : [];
    return { file, entries, isInstalled, faults };
  } catch (error) {
    if (!(error instanceof SwarmError)) throw error;
    // Whether we are in it nobody can tell: it is told, whoever wrote it.
    return { file, entries: [], isInstalled: true, faults: [{ level: "broken", fault: error.message }] };
  }
}

function faultsOf(
  adapter: Adapter,
  { text, file, home }: { readonly text: string; readonly file: string; readonly home: string },
  entries: readonly InstalledHook[],
  needs: NeedsByEvent,
): EntryFault[] {
  const { agent, title, settings } = adapter;
  const again = `run swarm install ${agent}`;
  if (entries.length === 0)
    return [
      {
        level: "inert",
        fault: `its settings have no entry of ours any more: ${again}, or swarm uninstall ${agent}`,
      },
    ];
  const whyInert = settings.whyInert(text);
  return [
    ...(whyInert === null
      ? []
      : [{ level: "inert" as const, fault: `${title} runs none of our hooks: ${whyInert}` }]),
    ...clientFaults(entries, home, again),
    ...changedFaults(adapter, text, file, again),
    ...missingFaults(adapter, entries, needs, again),
    ...weakFaults(adapter, entries, needs, again),
  ];
}

/** An entry that starts what is not there: with most agents that is the same as none. */
function clientFaults(entries: readonly InstalledHook[], home: string, again: string): EntryFault[] {
  const programs = new Set(
    entries.map(({ argv: [program] }) => program).filter((program) => isAbsolute(program)),
  );
  return [...programs].flatMap((program): EntryFault[] => {
    if (!isExecutable(program)) {
      const fault = `its entries start ${program}, which is not there or not executable: ${again}`;
      return [{ level: "broken", fault }];
    }
    const problem = clientProblem(home, program);
    return problem === null ? [] : [{ level: "broken", fault: `${problem}: ${again}` }];
  });
}

/** Entries that somebody has made do less: a matcher for some tools, a condition, an answer that is not waited for. */
function changedFaults(
  { events, settings }: Adapter,
  text: string,
  file: string,
  again: string,
): EntryFault[] {
  return settings.weakEntries(text, file).map(({ native, why, letsCallsPass }) => {
    const denies = events.some((row) => row.native === native && row.deny === "prevents");
    const level = letsCallsPass && denies ? "inert" : "note";
    return { level, fault: `our entry for ${native} was changed, ${why}; ${again}` };
  });
}

/** A switch outside of the file our entries are in: a local or managed file, or this shell's environment. */
export function inspectSwitches(
  adapter: Adapter,
  folders: Folders,
  inspected: readonly string[],
): EntryFault[] {
  const { settings, title, bypasses } = adapter;
  const files = new Set(settings.switchFiles(folders).filter((file) => !inspected.includes(file)));
  const off = [...files].flatMap((file) => {
    const why = settings.hooksOff(readText(file) ?? "", file);
    return why === null ? [] : [`${title} runs none of our hooks because of ${file}: ${why}`];
  });
  const here = bypassesIn({ args: [], env: folders.env }, bypasses).map(
    ({ bypass, written }) =>
      `${written} is set in this shell, and in ${title} that is started from it ${bypass.effect}: unset it`,
  );
  return [...off, ...here].map((fault) => ({ level: "inert", fault }));
}

function missingFaults(
  { events }: Adapter,
  entries: readonly InstalledHook[],
  needs: NeedsByEvent,
  again: string,
): EntryFault[] {
  const missing = events.filter(
    (row) => isWanted(row, needs) && !entries.some(({ native }) => native === row.native),
  );
  const isGuarded = ({ event }: (typeof missing)[number]) => needs[event]?.guard === true;
  const names = (list: typeof missing) => [...new Set(list.map(({ native }) => native))].join(", ");
  const guarded = missing.filter(isGuarded);
  const others = missing.filter((event) => !isGuarded(event));
  return [
    ...(guarded.length === 0
      ? []
      : [
          {
            level: "inert" as const,
            fault: `there is no entry for ${names(guarded)}, so guards do not run: ${again}`,
          },
        ]),
    ...(others.length === 0
      ? []
      : [{ level: "note" as const, fault: `there is no entry for ${names(others)}` }]),
  ];
}

function weakFaults(
  adapter: Adapter,
  entries: readonly InstalledHook[],
  needs: NeedsByEvent,
  again: string,
): EntryFault[] {
  const how = adapter.settings.distrustsChanges ? afterReview(adapter) : again;
  return entries.flatMap((entry): EntryFault[] => {
    const wanted = entryFor(adapter, entry, needs);
    const { native } = entry;
    const [is, should] = [hasGuard(entry), hasGuard(wanted)];
    return [
      ...(should && !is
        ? [
            {
              level: "inert" as const,
              fault: `${native} has a guard, and its entry no --guard: a call that cannot be judged passes; ${how}`,
            },
          ]
        : []),
      ...(is && !should
        ? [
            {
              level: "note" as const,
              fault: `${native} has no guard any more, and its entry --guard: ${how}`,
            },
          ]
        : []),
      ...(wanted.timeoutS > entry.timeoutS
        ? [
            {
              level: "note" as const,
              fault: `${native} is waited for ${entry.timeoutS} s, and a hook may take ${wanted.timeoutS - 1}: ${how}`,
            },
          ]
        : []),
    ];
  });
}
