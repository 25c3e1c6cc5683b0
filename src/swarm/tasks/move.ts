import { SwarmError } from "../../base/errors.ts";
import type { Task } from "./port/task.ts";
import { isHeld, type TaskAction, type TaskState, type Transition, transitions } from "./port/transitions.ts";

/** What a task becomes by an action; the state it leads to, where the action has several. */
export type Moved = Partial<Omit<Task, "task_id" | "revision" | "state" | "updated_at">>;

/** The task after the action, to be written over the one before. Throws SWARM_TASK_STATE where the action is not for its state. */
export function move(task: Task, action: TaskAction, now: string, moved: Moved, to?: TaskState): Task {
  const { from, to: targets }: Transition = transitions[action];
  const state = to ?? (targets[0] as TaskState);
  if (!from.includes(task.state) || !targets.includes(state))
    throw new SwarmError("SWARM_TASK_STATE", {
      task: task.task_id,
      action,
      state: task.state,
      from,
      to: targets,
    });
  return { ...task, ...moved, state, revision: task.revision + 1, updated_at: now };
}

/** What ends with a lease, but for what the holder has done. */
export const unheld = { owner: null, owner_process: null, lease_until: null, lease_tokens: 0 } as const;

/** Why whoever holds this epoch does not have the task; null: it has. Held to be true of its last holder until it is claimed again. */
export function whyStale(task: Task, epoch: number): string | null {
  const { state, epoch: current, owner, reason } = task;
  if (epoch === current && owner !== null) return null;
  if (epoch > current) return `its epoch is ${current}`;
  if (state === "cancelled" || state === "superseded" || state === "landed")
    return `the task is ${state}${reason === null ? "" : `: ${reason}`}`;
  if (epoch === current) return `it was taken back${reason === null ? "" : `: ${reason}`}`;
  const who = owner === null ? "nobody has it now" : `${owner} has it`;
  return `your task was given to another agent: ${who}, with epoch ${current}`;
}

/** Throws SWARM_LEASE_STALE unless the epoch is the one that holds the task now. */
export function checkLease(task: Task, epoch: number, taker?: string): void {
  const why = whyStale(task, epoch) ?? whyOthers(task, taker);
  if (why !== null) throw new SwarmError("SWARM_LEASE_STALE", { task: task.task_id, epoch, why });
}

/** An epoch can be guessed: an agent's own lease is the one that it was given. */
function whyOthers({ owner }: Task, taker: string | undefined): string | null {
  return taker?.startsWith("agent:") !== true || owner === taker ? null : `${owner} has the task`;
}

export function isLeased(task: Task): boolean {
  return isHeld(task.state);
}
