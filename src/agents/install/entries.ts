import type { Adapter, NativeEvent, WantedHook } from "../port/adapter.ts";
import type { ClientProgram } from "./client-program.ts";
import { hostTimeoutS, type NeedsByEvent } from "./entry-needs.ts";

/** The client answers this long before the agent stops waiting. */
const clientMarginMs = 500;

/**
 * The entries an agent's settings have to have: every event the agent and we both have, but for those it raises too
 * often to be asked about for nothing. A native event that stands for several of ours has one entry.
 */
export function wantedEntries(adapter: Adapter, client: ClientProgram, needs: NeedsByEvent): WantedHook[] {
  const natives = new Set(adapter.events.filter((row) => isWanted(row, needs)).map(({ native }) => native));
  return [...natives].map((native) => {
    const rows = rowsOf(adapter, native);
    const timeoutS = timeoutOf(rows, needs);
    const argv = [...client.argv, adapter.agent, ...flags(isGuarded(adapter, rows, needs), timeoutS)];
    return { native, argv, timeoutS } as unknown as WantedHook;
  });
}

/** The same entry with `--guard` as it is needed, and with time enough. What else somebody has made of it stays. */
export function entryFor(adapter: Adapter, entry: WantedHook, needs: NeedsByEvent): WantedHook {
  const rows = rowsOf(adapter, entry.native);
  if (rows.length === 0) return entry;
  const timeoutS = Math.max(entry.timeoutS, timeoutOf(rows, needs));
  return withGuard(adapter, withTimeout(entry, timeoutS), isGuarded(adapter, rows, needs));
}

/** Whether there should be an entry of ours for it. */
export function isWanted({ event, installed }: NativeEvent, needs: NeedsByEvent): boolean {
  if (event === "native.unknown" || installed === "never") return false;
  if (installed === "when_guarded") return needs[event]?.guard === true;
  return installed === "always" || needs[event] !== undefined;
}

function rowsOf({ events }: Adapter, native: string): NativeEvent[] {
  return events.filter((row) => row.native === native && row.event !== "native.unknown");
}

export function hasGuard({ argv }: WantedHook): boolean {
  return argv.includes("--guard");
}

function isGuarded({ settings }: Adapter, rows: readonly NativeEvent[], needs: NeedsByEvent): boolean {
  return rows.some(({ event }) => needs[event]?.guard === true || settings.alwaysGuarded.includes(event));
}

function timeoutOf(rows: readonly NativeEvent[], needs: NeedsByEvent): number {
  const neededS = Math.max(...rows.map(({ event }) => needs[event]?.timeout_s ?? hostTimeoutS));
  return Math.min(neededS, ...rows.map(({ maxTimeoutS }) => maxTimeoutS ?? Number.POSITIVE_INFINITY));
}

function flags(isGuard: boolean, timeoutS: number): string[] {
  return [...(isGuard ? ["--guard"] : []), "--timeout-ms", clientTimeoutMs(timeoutS)];
}

function clientTimeoutMs(timeoutS: number): string {
  return String(Math.max(500, timeoutS * 1_000 - clientMarginMs));
}

function withGuard({ agent }: Adapter, entry: WantedHook, isGuard: boolean): WantedHook {
  if (hasGuard(entry) === isGuard) return entry;
  const argv: string[] = entry.argv.filter((word) => word !== "--guard");
  if (isGuard) argv.splice(argv.indexOf(agent) + 1 || argv.length, 0, "--guard");
  return { ...entry, argv: argv as unknown as WantedHook["argv"] };
}

function withTimeout(entry: WantedHook, timeoutS: number): WantedHook {
  if (entry.timeoutS === timeoutS) return entry;
  const at = entry.argv.indexOf("--timeout-ms") + 1;
  const argv = entry.argv.map((word, index) => (index === at && at > 0 ? clientTimeoutMs(timeoutS) : word));
  return { ...entry, timeoutS, argv: argv as unknown as WantedHook["argv"] };
}
