import type { EventName } from "../events/names.ts";
import type { Mode } from "../events/outcome.ts";
import type { Hook } from "./definition.ts";

/** A registered hook as `list` shows it. */
export interface HookInfo {
  readonly name: string;
  readonly event: EventName;
  readonly kind: string;
  readonly mode: Mode;
  readonly match: string;
  readonly priority: number;
  readonly timeoutMs: number;
  readonly onFailure: "allow" | "deny";
  readonly onDenied: boolean;
  readonly plugin: string | null;
}

export function describeHook(hook: Hook): HookInfo {
  const { name, event, kind, mode, match, priority, timeoutMs, onFailure, onDenied, plugin } = hook;
  return { name, event, kind, mode, match, priority, timeoutMs, onFailure, onDenied, plugin };
}
