import { SwarmError } from "../../base/errors.ts";
import { afterFailure } from "./after-attempt.ts";
import type { TaskEvents } from "./events.ts";
import { checkLease, isLeased, move, unheld } from "./move.ts";
import type { OwnerProcess, StoredTask } from "./port/task.ts";
import type { TaskStore } from "./port/task-store.ts";
import type { AttemptEnding } from "./port/transitions.ts";
import type { Change, TaskWriter } from "./writer.ts";

export interface LeasesOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly events: TaskEvents;
  readonly newId: (prefix: string) => string;
  /** How long a lease lasts; default 10 minutes. */
  readonly leaseMs?: number;
}

/** Who wants a task. */
export interface ClaimWish {
  readonly actor: string;
  /** Null: any. */
  readonly role: string | null;
  /** This one; default the next that is ready. */
  readonly taskId?: string | null;
  /** The process that will work on it: the task is given to others when it has ended. */
  readonly process?: OwnerProcess | null;
}

export interface Lease {
  readonly epoch: number;
  readonly expires_at: string;
}

export interface Claimed {
  readonly task: StoredTask;
  readonly lease: Lease;
}

/** Who has a task, and by which lease. Whoever is known by a token need not be believed what it says it is. */
export interface Holder {
  readonly actor: string;
  readonly epoch: number;
}

export interface Report {
  readonly summary: string;
  readonly files_changed?: readonly string[] | undefined;
  readonly evidence?: readonly unknown[] | undefined;
  /** Used by this attempt so far. */
  readonly tokens?: number | undefined;
}

export const defaultLeaseMs = 600_000;
/** Longer than hooks have to decide about a claim. */
const reservationMs = 120_000;
const defaultRateLimitMs = 60_000;

/** What only the holder of a task's lease may do. Each names the epoch of its lease, and a stale one is refused. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #leaseMs: number;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
  }

  /**
   * Gives out the next ready task, with a lease. It is set aside in one statement, then hooks are asked, then it is claimed:
   * a refusal leaves the task as it was, and two who ask at once are asked about different tasks.
   */
  async claim({ actor, role, taskId = null, process = null }: ClaimWish): Promise<Claimed> {
    const { store, writer, events, newId } = this.#options;
    const reservation = newId("rsv");
    const { now, nowMs } = writer;
    const until = new Date(nowMs + reservationMs).toISOString();
    const found = await store.reserve({ reservation, now, until, role, taskId });
    if (found === null) throw await this.#notReady(role, taskId);
    try {
      await events.mayBeClaimed(found, actor);
      const written = await writer.change(
        found.task_id,
        "claim",
        actor,
        async (task, claimedAt, claimedAtMs) => {
          // While hooks were asked it may have been given something to wait for.
          const isChanged = task.revision !== found.revision;
          const isReady = task.state === "open" && task.unmet === 0 && task.ready_at <= claimedAt;
          if (isChanged && !isReady) throw await this.#notReady(role, task.task_id);
          return move(task, "claim", claimedAt, {
            ...unheld,
            epoch: task.epoch + 1,
            owner: actor,
            owner_process: process,
            claimed_at: claimedAt,
            lease_until: new Date(claimedAtMs + this.#leaseMs).toISOString(),
            reason: null,
          });
        },
      );
      const { task } = written ?? { task: found };
      return { task, lease: { epoch: task.epoch, expires_at: task.lease_until ?? now } };
    } catch (error) {
      await store.unreserve(found.task_id, reservation);
      throw error;
    }
  }

  /** The task somebody has now; null: none. */
  async heldBy(actor: string): Promise<StoredTask | null> {
    const found = await this.#options.store.list({ owner: actor, limit: 100 });
    return found.find(isLeased) ?? null;
  }

  /** Prolongs the lease, and writes nothing else. */
  async renew(taskId: string, { epoch, actor }: Holder): Promise<Lease> {
    const { store, writer } = this.#options;
    const task = await writer.find(taskId);
    checkLease(task, epoch, actor);
    const expires_at = new Date(writer.nowMs + this.#leaseMs).toISOString();
    if (!(await store.renew(taskId, epoch, expires_at))) {
      checkLease(await writer.find(taskId), epoch, actor);
      return { epoch, expires_at: task.lease_until ?? writer.now }; // it was reported: nothing expires
    }
    return { epoch, expires_at };
  }

  /** The same for who is known to hold it; false where the lease is over. */
  prolong(taskId: string, epoch: number): Promise<boolean> {
    const { store, writer } = this.#options;
    return store.renew(taskId, epoch, new Date(writer.nowMs + this.#leaseMs).toISOString());
  }

  /** Null: it goes on as it did, and only its tokens are counted. */
  progress(taskId: string, holder: Holder, progress: string | null, tokens?: number): Promise<StoredTask> {
    return this.#hold(taskId, "progress", holder, (task, now, nowMs) => {
      const lease_until = new Date(nowMs + this.#leaseMs).toISOString();
      const said = progress === null ? {} : { progress };
      return move(task, "progress", now, { ...said, lease_until, ...usage(task, tokens) });
    });
  }

  /** One more session works on the task; counted over its whole life. */
  countSession(taskId: string, holder: Holder): Promise<StoredTask> {
    return this.#hold(taskId, "progress", holder, (task, now) =>
      move(task, "progress", now, { sessions: task.sessions + 1 }),
    );
  }

  /** Says that the work is done; what changes no files is complete with that. */
  async report(taskId: string, holder: Holder, report: Report): Promise<StoredTask> {
    const { summary, files_changed = [], evidence = [], tokens } = report;
    const reported = await this.#hold(taskId, "report", holder, (task, now) => {
      if (task.no_change && evidence.length === 0)
        throw new SwarmError("SWARM_TASK_EVIDENCE_MISSING", { task: taskId });
      const done = { summary, files_changed, evidence, lease_until: null, owner_process: null };
      return move(task, "report", now, {
        ...done,
        ...usage(task, tokens),
        attempts: task.attempts + 1,
        ...{ ending: null, reason: null },
      });
    });
    if (!reported.no_change) return reported;
    try {
      return await this.completeReported(taskId);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error;
      this.#options.writer.unsure.add(taskId); // the report counts; the next sweep completes it
      return reported;
    }
  }

  /** Also after a crash between the report and this. */
  async completeReported(taskId: string): Promise<StoredTask> {
    const { writer, events } = this.#options;
    const written = await writer.change(taskId, "complete", "swarm", (task, now) =>
      task.state === "reported" ? move(task, "complete", now, { ended_at: now }) : null,
    );
    if (written !== null) await events.completed(written.task, "swarm");
    return written?.task ?? writer.find(taskId);
  }

  async fail(
    taskId: string,
    holder: Holder,
    error: string,
    { ending = "failed", tokens }: { ending?: AttemptEnding; tokens?: number | undefined } = {},
  ): Promise<StoredTask> {
    let before: StoredTask | null = null;
    const failed = await this.#hold(taskId, "fail", holder, (task, now, nowMs) => {
      before = task;
      const { state, moved } = afterFailure(task, ending, error, nowMs);
      return move(task, "fail", now, { ...usage(task, tokens), ...unheld, ...moved }, state);
    });
    await this.#options.events.failed(failed, before ?? failed, holder.actor);
    return failed;
  }

  /** A rate limit is no failure: it costs no attempt, and the task waits until the limit is reset. */
  pause(taskId: string, holder: Holder, reason: string, resetsAt: string | null): Promise<StoredTask> {
    return this.#hold(taskId, "pause", holder, (task, now, nowMs) => {
      const ready_at = resetsAt ?? new Date(nowMs + defaultRateLimitMs).toISOString();
      const resume_note = `The last attempt was stopped by a rate limit: ${reason.slice(0, 1_000)}`;
      return move(task, "pause", now, { ...unheld, ready_at, reason, ending: "rate_limited", resume_note });
    });
  }

  /** A question for a person ends the lease: the task goes on when it is answered. */
  ask(taskId: string, holder: Holder, question: string): Promise<StoredTask> {
    return this.#hold(taskId, "ask", holder, (task, now) =>
      move(task, "ask", now, { ...unheld, question, answer: null, reason: question.slice(0, 1_000) }),
    );
  }

  async #hold(taskId: string, action: HeldAction, holder: Holder, change: Change): Promise<StoredTask> {
    const written = await this.#options.writer.change(taskId, action, holder.actor, (task, now, nowMs) => {
      checkLease(task, holder.epoch, holder.actor);
      return change(task, now, nowMs);
    });
    return written?.task ?? this.#options.writer.find(taskId);
  }

  async #notReady(role: string | null, taskId: string | null): Promise<SwarmError> {
    const { store, writer } = this.#options;
    if (taskId === null) return new SwarmError("SWARM_TASK_NONE_READY", { role });
    const task = await writer.find(taskId);
    if (task.state !== "open") {
      const who = isLeased(task)
        ? `${task.owner} has it`
        : (task.reason ?? "only an open task can be claimed");
      return new SwarmError("SWARM_TASK_NOT_READY", { task: taskId, why: `it is ${task.state}: ${who}` });
    }
    const unmet = (await store.unmetOf(taskId)).map((one) => `${one.task_id} (${one.state})`);
    const why =
      unmet.length > 0
        ? `it waits for ${unmet.join(", ")}`
        : task.ready_at > writer.now
          ? `it waits until ${task.ready_at}`
          : "somebody else is about to claim it";
    return new SwarmError("SWARM_TASK_NOT_READY", { task: taskId, why });
  }
}

type HeldAction = "progress" | "report" | "fail" | "pause" | "ask";

/** The holder's own total, over all its reports: a report that comes twice counts once. */
function usage({ tokens_used, lease_tokens }: StoredTask, tokens: number | undefined) {
  const more = Math.max(0, (tokens ?? 0) - lease_tokens);
  return { tokens_used: tokens_used + more, lease_tokens: lease_tokens + more };
}
