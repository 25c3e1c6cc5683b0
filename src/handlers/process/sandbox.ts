import type { ProcessLimits } from "./process-limits.ts";
import { processNamespace } from "./process-namespace.ts";

/**
 * - `off`: resource limits for shell lines, which have them for nothing, and no namespace.
 * - `strict`: resource limits for every program, and where the machine can, a process namespace around it.
 */
export type Sandbox = "off" | "strict";

export function sandboxLimits(sandbox: Sandbox): Pick<ProcessLimits, "ulimits" | "namespace"> {
  if (sandbox === "off") return { ulimits: false, namespace: null };
  return { ulimits: true, namespace: processNamespace().command };
}
