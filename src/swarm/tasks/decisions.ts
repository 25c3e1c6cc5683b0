import { SwarmError } from "../../base/errors.ts";
import { afterLoss } from "./after-attempt.ts";
import { refuseCycles } from "./dependencies.ts";
import type { TaskEvents } from "./events.ts";
import { move, unheld } from "./move.ts";
import type { StoredTask } from "./port/task.ts";
import type { TaskStore } from "./port/task-store.ts";
import { type TaskState, transitions } from "./port/transitions.ts";
import type { TaskWriter, Written } from "./writer.ts";

export interface DecisionsOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly events: TaskEvents;
}

const maxTree = 10_000;

/** What people say of tasks. Whoever works on one that is taken away finds its lease stale. */
export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** The work has landed elsewhere: the word of whoever says so, recorded as such. */
  async accept(taskId: string, actor: string, reason: string): Promise<StoredTask> {
    const { writer, events } = this.#options;
    const written = await writer.change(taskId, "accept", actor, (task, now) =>
      move(task, "accept", now, {
        ...unheld,
        ended_at: now,
        retry_at: null,
        ending: null,
        reason: `accepted by ${actor}: ${reason}`,
      }),
    );
    const { before, task } = done(written);
    await events.completed({ ...task, owner: before.owner }, actor);
    return task;
  }

  /** More work is wanted of what was reported; it counts as an attempt. */
  async sendBack(taskId: string, actor: string, reason: string): Promise<StoredTask> {
    const { writer, events } = this.#options;
    const written = await writer.change(taskId, "send_back", actor, (task, now, nowMs) => {
      // The report has counted this attempt already.
      const counted = { ...task, attempts: task.attempts - 1 };
      const { state, moved } = afterLoss(counted, "sent_back", reason, nowMs);
      return move(task, "send_back", now, { ...unheld, ...moved }, state);
    });
    const { before, task } = done(written);
    if (task.state === "failed") await events.failed(task, before, actor);
    return task;
  }

  async answer(taskId: string, actor: string, answer: string): Promise<StoredTask> {
    return this.#change(taskId, "answer", actor, (task, now) => {
      const asked = task.question ?? task.reason ?? "";
      const note = `A person was asked: ${asked.slice(0, 1_000)}. The answer: ${answer.slice(0, 4_000)}`;
      return move(task, "answer", now, { answer, ready_at: now, reason: null, resume_note: note });
    });
  }

  async block(taskId: string, actor: string, reason: string): Promise<StoredTask> {
    return this.#change(taskId, "block", actor, (task, now) => move(task, "block", now, { reason }));
  }

  async unblock(taskId: string, actor: string): Promise<StoredTask> {
    return this.#change(taskId, "unblock", actor, (task, now) =>
      move(task, "unblock", now, { reason: null }),
    );
  }

  /** At once, whatever was tried before; where all attempts are used, one more is allowed. What was counted stays counted. */
  async retry(taskId: string, actor: string): Promise<StoredTask> {
    const { writer, events } = this.#options;
    const written = await writer.change(taskId, "retry", actor, (task, now) =>
      move(task, "retry", now, {
        ready_at: now,
        retry_at: null,
        reason: null,
        retries: task.retries + 1,
        max_attempts: Math.max(task.max_attempts, task.attempts + 1),
      }),
    );
    const { before, task } = done(written);
    await events.retried(task, before.reason, actor);
    return task;
  }

  /** With everything below it that is not finished: its parts are wanted no more either. */
  async cancel(taskId: string, actor: string, reason: string): Promise<StoredTask> {
    const cancelled = await this.#cancelOne(taskId, actor, reason);
    for (const { task_id, state } of await this.#options.store.descendants(taskId, maxTree)) {
      if (isFinished(state)) continue;
      await this.#cancelOne(task_id, actor, `its parent ${taskId} was cancelled: ${reason}`).catch(
        (error: unknown) => {
          // It has finished meanwhile.
          if (!(error instanceof SwarmError) || error.code !== "SWARM_TASK_STATE") throw error;
        },
      );
    }
    return cancelled;
  }

  /** Another task takes its place: those that waited for this one wait for that one. */
  async supersede(taskId: string, by: string, actor: string): Promise<StoredTask> {
    const { store, writer, events } = this.#options;
    await writer.find(by);
    if (taskId === by) throw new SwarmError("SWARM_TASK_CYCLE", { cycle: [taskId, by] });
    const dependents = await store.dependentsOf(taskId);
    const rewired = dependents.map(({ task_id }) => ({ task_id, depends_on: by }));
    refuseCycles([by], [...rewired, ...(await store.dependenciesOf(by))]);
    const written = await writer.change(taskId, "supersede", actor, (task, now) => {
      const reason = `superseded by ${by}`;
      const end = { ending: "superseded", ended_at: now, retry_at: null } as const;
      return move(task, "supersede", now, { ...unheld, ...end, superseded_by: by, reason });
    });
    for (const { task_id } of dependents)
      await writer.change(task_id, "edit", actor, (task, now) => {
        const depends_on = [...new Set(task.depends_on.map((id) => (id === taskId ? by : id)))];
        return { ...task, depends_on, revision: task.revision + 1, updated_at: now };
      });
    const { before, task } = done(written);
    await events.cancelled(task, before, actor);
    return task;
  }

  /** Where all attempts are used, one more is allowed. */
  async reopen(taskId: string, actor: string): Promise<StoredTask> {
    return this.#change(taskId, "reopen", actor, (task, now) =>
      move(task, "reopen", now, {
        ...{ ended_at: null, reason: null, superseded_by: null, ready_at: now },
        max_attempts: Math.max(task.max_attempts, task.attempts + 1),
      }),
    );
  }

  async #cancelOne(taskId: string, actor: string, reason: string): Promise<StoredTask> {
    const { writer, events } = this.#options;
    const written = await writer.change(taskId, "cancel", actor, (task, now) => {
      const end = { ending: "cancelled", ended_at: now, retry_at: null } as const;
      return move(task, "cancel", now, { ...unheld, ...end, reason: `cancelled by ${actor}: ${reason}` });
    });
    const { before, task } = done(written);
    await events.cancelled(task, before, actor);
    return task;
  }

  async #change(...args: Parameters<TaskWriter["change"]>): Promise<StoredTask> {
    return done(await this.#options.writer.change(...args)).task;
  }
}

/** None of these changes ever has nothing to do. */
function done(written: Written | null): Written {
  if (written === null) throw new Error("nothing was written");
  return written;
}

function isFinished(state: TaskState): boolean {
  return !(transitions.cancel.from as readonly TaskState[]).includes(state);
}
