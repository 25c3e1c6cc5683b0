import type { HookConfig } from "./hook-config.ts";
import { configLimits } from "./limits.ts";
import { invalid } from "./node.ts";
import { showValue } from "./show-value.ts";

/** The hooks of several files as one list, in the order of the files. A name stands for one hook. */
export function mergeHooks(lists: readonly (readonly HookConfig[])[]): HookConfig[] {
  const hooks = lists.flat();
  const excess = hooks[configLimits.hooks];
  if (excess !== undefined) {
    throw invalid(excess.source.file, excess.source, `more than ${configLimits.hooks} hooks, expected fewer`);
  }
  for (const key of ["name", "id"] as const) {
    const first = new Map<string, HookConfig>();
    for (const hook of hooks) {
      const { source } = first.get(hook[key]) ?? {};
      if (source !== undefined) {
        const place = `${source.file}:${source.line}:${source.column}`;
        const problem = `${key} ${showValue(hook[key])} is already used at ${place}, expected one used once`;
        throw invalid(hook.source.file, hook.source, problem);
      }
      first.set(hook[key], hook);
    }
  }
  return hooks;
}
