import { SwarmError } from "../../base/errors.ts";
import { afterLoss } from "./after-attempt.ts";
import type { TaskEvents } from "./events.ts";
import { isLeased, move, unheld } from "./move.ts";
import type { OwnerProcess, StoredTask } from "./port/task.ts";
import type { TaskStore } from "./port/task-store.ts";
import type { AttemptEnding } from "./port/transitions.ts";
import type { TaskWriter } from "./writer.ts";

export interface SweepOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly events: TaskEvents;
  /** Whether a process is known to have ended; one of another machine is not. */
  readonly hasEnded: (process: OwnerProcess) => boolean;
  /** Completes a task that changes no files and was reported. */
  readonly complete: (taskId: string) => Promise<unknown>;
  /** Told of a task that was taken back from its holder, with the time since the last sign of life where it is known. */
  readonly onLost?: (task: StoredTask, holder: StoredTask, ending: AttemptEnding) => Promise<void>;
}

export interface Swept {
  readonly lost: readonly string[];
  readonly retried: readonly string[];
}

const atOnce = 500;
const maxHeld = 10_000;

/** What happens to tasks by itself: at the start, when a process ends, and whenever something is due. Any number may sweep at once. */
export class Sweep {
  readonly #options: SweepOptions;
  #hasBegun = false;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Takes back what its holder has lost, and retries what has waited long enough. */
  async run(): Promise<Swept> {
    const { store, writer } = this.#options;
    const [lost, retried]: [string[], string[]] = [[], []];
    await this.#settleUnsure();
    for (const task of await store.held(maxHeld)) {
      if (task.owner_process === null || !this.#options.hasEnded(task.owner_process)) continue;
      const why = `process ${task.owner_process.pid} of ${task.owner} ended without a report`;
      if (await this.lose(task, "crashed", why)) lost.push(task.task_id);
    }
    for (;;) {
      const due = await store.due(writer.now, atOnce);
      const before = lost.length + retried.length;
      for (const task of due) {
        if (task.state === "failed") {
          if (await this.#retry(task)) retried.push(task.task_id);
        } else if (
          await this.lose(task, "stalled", `nothing was heard of ${task.owner} while its lease lasted`)
        )
          lost.push(task.task_id);
      }
      // Others may sweep at the same time: what they were faster with is no reason to look at the same page for ever.
      if (due.length < atOnce || lost.length + retried.length === before) return { lost, retried };
    }
  }

  /** What a failing store, or an earlier process that ended, has left between a write and what follows from it. */
  async #settleUnsure(): Promise<void> {
    const { store, writer, complete } = this.#options;
    if (!this.#hasBegun)
      for (const { task_id, no_change } of await store.list({ state: "reported", limit: maxHeld }))
        if (no_change) writer.unsure.add(task_id);
    this.#hasBegun = true;
    for (const taskId of [...writer.unsure]) {
      writer.unsure.delete(taskId);
      try {
        const { state, no_change } = await writer.lookAgain(taskId);
        if (state === "reported" && no_change) await complete(taskId);
      } catch (error) {
        writer.unsure.add(taskId);
        throw error;
      }
    }
  }

  /** Takes a task back from a holder who is gone; false: somebody else has it by now, or the lease was renewed. */
  async lose(seen: StoredTask, ending: AttemptEnding, why: string): Promise<boolean> {
    const { writer, events, onLost } = this.#options;
    const written = await unlessOver(() =>
      writer.change(seen.task_id, "lose", "swarm", (task, now, nowMs) => {
        if (!isLeased(task) || task.epoch !== seen.epoch) return null;
        const isRenewed = ending === "stalled" && task.lease_until !== null && task.lease_until > now;
        if (isRenewed) return null;
        const { state, moved } = afterLoss(task, ending, why, nowMs);
        return move(task, "lose", now, { ...unheld, ...moved }, state);
      }),
    );
    if (written === null) return false;
    if (written.task.state === "failed") await events.failed(written.task, written.before, "swarm");
    await onLost?.(written.task, written.before, ending);
    return true;
  }

  async #retry(seen: StoredTask): Promise<boolean> {
    const { writer, events } = this.#options;
    const written = await unlessOver(() =>
      writer.change(seen.task_id, "retry", "swarm", (task, now) => {
        const isDue = task.state === "failed" && task.retry_at !== null && task.retry_at <= now;
        if (!isDue) return null;
        const retried = { ready_at: now, retry_at: null, reason: null, retries: task.retries + 1 };
        return move(task, "retry", now, retried);
      }),
    );
    if (written === null) return false;
    await events.retried(written.task, written.before.reason, "swarm");
    return true;
  }
}

/** Null where others were faster. */
async function unlessOver<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const codes = ["SWARM_TASK_CHANGED", "SWARM_TASK_STATE"];
    if (error instanceof SwarmError && codes.includes(error.code)) return null;
    throw error;
  }
}
