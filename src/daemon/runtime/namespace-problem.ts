import { processNamespace } from "../../handlers/process/process-namespace.ts";

/** Why programs would have no process namespace under `sandbox: strict`; null when they would. */
export function namespaceProblem(): string | null {
  return processNamespace().problem;
}
