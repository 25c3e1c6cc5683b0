import type { ProcessLimits } from "./process-limits.ts";
import { offlineNamespace, processNamespace } from "./process-namespace.ts";

/**
 * - `off`: resource limits for shell lines, which have them for nothing, and no namespace.
 * - `strict`: resource limits for every program, and where the machine can, a process namespace around it.
 */
export type Sandbox = "off" | "strict";

/** `isOffline`: without a network, where the machine can make a namespace; `offlineNamespace` tells whether it can. */
export function sandboxLimits(
  sandbox: Sandbox,
  isOffline = false,
): Pick<ProcessLimits, "ulimits" | "namespace"> {
  if (isOffline) return { ulimits: sandbox === "strict", namespace: offlineNamespace().command };
  if (sandbox === "off") return { ulimits: false, namespace: null };
  return { ulimits: true, namespace: processNamespace().command };
}
