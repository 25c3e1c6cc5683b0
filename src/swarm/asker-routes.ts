import { required, text } from "../engine/events/schema.ts";
import type { Context } from "../daemon/rest/route.ts";
import type { Swarm } from "./service.ts";
import type { Asker } from "./tasks/tasks.ts";

export const taskId = { id: required(text("Id of the task.")) };

export function swarmOf({ runtime }: Pick<Context, "runtime">): Promise<Swarm> {
  return runtime.swarm.open();
}

/** Who asks. What a worker may do depends on the task it works on, which its token leads to. */
export async function askerOf(context: Context): Promise<Asker> {
  const { actor, runtime, caller } = context;
  const { cwd } = runtime.projects.at(undefined);
  if (caller.agent?.kind !== "worker") return { actor, cwd };
  const own = await (await swarmOf(context)).leases.heldBy(actor);
  return { actor, cwd: own?.cwd ?? cwd, within: own?.task_id ?? null };
}
