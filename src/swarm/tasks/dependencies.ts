import { SwarmError } from "../../base/errors.ts";
import type { Dependency } from "./port/task-store.ts";

/** Throws SWARM_TASK_CYCLE, with the circle, where following what tasks depend on leads back to one of these. */
export function refuseCycles(from: readonly string[], dependencies: readonly Dependency[]): void {
  const needs = new Map<string, string[]>();
  for (const { task_id, depends_on } of dependencies) {
    const known = needs.get(task_id);
    if (known === undefined) needs.set(task_id, [depends_on]);
    else known.push(depends_on);
  }
  const done = new Set<string>();
  for (const start of from) {
    // By hand: a chain of 100,000 tasks is deeper than the stack.
    const path: { readonly id: string; next: number }[] = [{ id: start, next: 0 }];
    const onPath = new Set([start]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const needed = needs.get(top.id)?.[top.next++];
      if (needed === undefined) {
        done.add(top.id);
        onPath.delete(top.id);
        path.pop();
        continue;
      }
      if (onPath.has(needed)) {
        const ids = path.map(({ id }) => id);
        throw new SwarmError("SWARM_TASK_CYCLE", { cycle: [...ids.slice(ids.indexOf(needed)), needed] });
      }
      if (done.has(needed)) continue;
      path.push({ id: needed, next: 0 });
      onPath.add(needed);
    }
  }
}
