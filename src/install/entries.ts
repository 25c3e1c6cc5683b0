import type { Adapter, NativeEvent, WantedHook } from "../ports/adapter.ts";
import type { ClientProgram } from "./client-program.ts";
import { hostTimeoutS, type NeedsByEvent } from "./entry-needs.ts";

/** The client answers this long before the agent stops waiting. */
const clientMarginMs = 500;

/** The entries an agent's settings have to have: every event the agent and we both have. */
export function wantedEntries(adapter: Adapter, client: ClientProgram, needs: NeedsByEvent): WantedHook[] {
  return adapter.events
    .filter(({ event }) => event !== "native.unknown")
    .map((event) => {
      const timeoutS = timeoutOf(event, needs);
      const argv = [...client.argv, adapter.agent, ...flags(isGuarded(adapter, event, needs), timeoutS)];
      return { native: event.native, argv, timeoutS } as unknown as WantedHook;
    });
}

/** The same entry with `--guard` as it is needed, and with time enough. What else somebody has made of it stays. */
export function entryFor(adapter: Adapter, entry: WantedHook, needs: NeedsByEvent): WantedHook {
  const event = adapter.events.find(({ native }) => native === entry.native);
  if (event === undefined || event.event === "native.unknown") return entry;
  const timeoutS = Math.max(entry.timeoutS, timeoutOf(event, needs));
  return withGuard(adapter, withTimeout(entry, timeoutS), isGuarded(adapter, event, needs));
}

export function hasGuard({ argv }: WantedHook): boolean {
  return argv.includes("--guard");
}

function isGuarded({ settings }: Adapter, { event }: NativeEvent, needs: NeedsByEvent): boolean {
  return needs[event]?.guard === true || settings.alwaysGuarded.includes(event);
}

function timeoutOf({ event, maxTimeoutS }: NativeEvent, needs: NeedsByEvent): number {
  return Math.min(needs[event]?.timeout_s ?? hostTimeoutS, maxTimeoutS ?? Number.POSITIVE_INFINITY);
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
