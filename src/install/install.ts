import { rmSync } from "node:fs";
import type { HookConfig } from "../config/hook-config.ts";
import type { Adapter, AgentName, Scope, WantedHook } from "../ports/adapter.ts";
import type { ClientProgram } from "./client-program.ts";
import { type Installation, Installations, readSettings, sha256, writeSettings } from "./settings-file.ts";
import { textDiff } from "./text-diff.ts";

export interface Folders {
  /** The user's own home, where agents keep their settings. */
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What would be done to one settings file. */
export interface Change {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  readonly before: string | null;
  /** Null: the file goes. */
  readonly after: string | null;
  /** Empty when there is nothing to do. */
  readonly diff: readonly string[];
}

/** How long an agent waits for us. Hooks in series take their time; the client answers half a second before. */
const hostTimeoutS = 60;
const clientMarginMs = 500;

/** What installing would change: every event the agent and we both have; `--guard` where a guard is in force. */
export function planInstall(
  adapter: Adapter,
  scope: Scope,
  folders: Folders,
  client: ClientProgram,
  hooks: readonly HookConfig[],
): Change {
  const file = adapter.settings.file(scope, folders);
  const before = readSettings(file);
  const after = adapter.settings.install(before, wantedHooks(adapter, client, hooks), file);
  return { agent: adapter.agent, scope, file, before, after, diff: textDiff(before ?? "", after) };
}

/** What uninstalling would change: the file as it was, or, if it was edited since, without our entries. */
export function planUninstall(adapter: Adapter, scope: Scope, folders: Folders, home: string): Change {
  const file = adapter.settings.file(scope, folders);
  const before = readSettings(file);
  const after = before === null ? null : restored(adapter, new Installations(home).find(file), before, file);
  return { agent: adapter.agent, scope, file, before, after, diff: textDiff(before ?? "", after ?? "") };
}

/** Writes it, and notes how it can be undone. */
export function applyInstall(change: Change, home: string): void {
  if (change.after === null || change.after === change.before) return;
  const noted = new Installations(home);
  // Noted first: what is written without a note could not be put back.
  noted.note(change.agent, change.scope, change.file, change.before, change.after);
  writeSettings(change.file, change.after);
}

/** Puts the file back, or takes our entries out of it, and forgets the copy. */
export function applyUninstall(change: Change, home: string): void {
  const noted = new Installations(home);
  if (change.after === null) rmSync(change.file, { force: true });
  else writeSettings(change.file, change.after);
  const known = noted.find(change.file);
  if (known !== null) noted.forget(known);
}

export function wantedHooks(
  adapter: Adapter,
  client: ClientProgram,
  hooks: readonly HookConfig[],
): readonly WantedHook[] {
  const guarded = new Set(hooks.filter(({ onFailure }) => onFailure === "deny").map(({ event }) => event));
  return adapter.events
    .filter(({ event }) => event !== "native.unknown")
    .map(({ native, event, maxTimeoutS }) => {
      const timeoutS = Math.min(hostTimeoutS, maxTimeoutS ?? hostTimeoutS);
      const guard = guarded.has(event) ? ["--guard"] : [];
      const deadline = ["--timeout-ms", String(Math.max(500, timeoutS * 1_000 - clientMarginMs))];
      return { native, argv: [...client.argv, adapter.agent, ...guard, ...deadline], timeoutS } as WantedHook;
    });
}

function restored(adapter: Adapter, noted: Installation | null, before: string, file: string): string | null {
  if (noted === null || sha256(before) !== noted.written_sha256)
    return adapter.settings.uninstall(before, file);
  return noted.backup === null ? null : readSettings(noted.backup);
}
