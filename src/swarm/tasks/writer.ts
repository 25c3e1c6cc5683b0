import type { Clock } from "../../base/clock.ts";
import { SwarmError } from "../../base/errors.ts";
import { redact } from "../../base/redact.ts";
import type { Audit, NewEntry } from "../../record/port/audit.ts";
import type { Task, StoredTask } from "./port/task.ts";
import type { AgentChange } from "../agents/port/agent.ts";
import type { TaskChange, TaskStore } from "./port/task-store.ts";
import type { TaskAction } from "./port/transitions.ts";

export interface TaskWriterOptions {
  readonly store: TaskStore;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Called with each task as it is known to be, and whether it was claimed just now. */
  readonly onWritten?: (task: Task, isClaimed: boolean) => void;
}

/** A task before and after a change. */
export interface Written {
  readonly before: StoredTask;
  readonly task: StoredTask;
}

/** Calls about one task at the same time. Their answers may come in another order than its writes. */
interface UnderWay {
  calls: number;
  newest: Task | null;
}

/** What an action makes of a task; null: nothing is to be done. */
export type Change = (task: StoredTask, now: string, nowMs: number) => Task | null | Promise<Task | null>;

interface Changing {
  readonly taskId: string;
  readonly action: TaskAction | "edit";
  readonly actor: string;
  readonly change: Change;
  readonly underWay: UnderWay;
}

/** Each time another write came first it is decided again, on the task as it is then. */
const maxTries = 50;

/** Writes tasks, each change with its row in the record and in one transaction with it. */
export class TaskWriter {
  /** Tasks whose last write failed and may have been made all the same, or that wait for what follows from it. */
  readonly unsure = new Set<string>();
  readonly #options: TaskWriterOptions;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(options: TaskWriterOptions) {
    this.#options = options;
  }

  get nowMs(): number {
    return this.#options.clock.now();
  }

  get now(): string {
    return new Date(this.nowMs).toISOString();
  }

  async find(taskId: string): Promise<StoredTask> {
    const found = await this.#options.store.find(taskId);
    if (found === null) throw new SwarmError("SWARM_TASK_UNKNOWN", { task: taskId });
    return found;
  }

  /** Null where nothing was to be done. */
  async change(
    taskId: string,
    action: TaskAction | "edit",
    actor: string,
    change: Change,
  ): Promise<Written | null> {
    return this.#during(taskId, (underWay) => this.#change({ taskId, action, actor, change, underWay }));
  }

  /** What is stored of a task that is unsure. */
  lookAgain(taskId: string): Promise<StoredTask> {
    return this.#during(taskId, async (underWay) => {
      const found = await this.find(taskId);
      this.#note(found, underWay);
      return found;
    });
  }

  async #during<T>(taskId: string, work: (underWay: UnderWay) => Promise<T>): Promise<T> {
    const underWay = this.#begin(taskId);
    try {
      return await work(underWay);
    } finally {
      this.#end(taskId, underWay);
    }
  }

  #begin(taskId: string): UnderWay {
    const underWay = this.#underWay.get(taskId) ?? { calls: 0, newest: null };
    this.#underWay.set(taskId, underWay);
    underWay.calls++;
    return underWay;
  }

  #end(taskId: string, underWay: UnderWay): void {
    if (--underWay.calls === 0) this.#underWay.delete(taskId);
  }

  async #change({ taskId, action, actor, change, underWay }: Changing): Promise<Written | null> {
    for (let tries = 1; ; tries++) {
      const before = await this.find(taskId);
      const { nowMs } = this;
      const after = await change(before, new Date(nowMs).toISOString(), nowMs);
      if (after === null) return null;
      try {
        const isRewired = action === "edit" || action === "supersede";
        const saved: TaskChange = { kind: "task_saved", task: after, isRewired };
        const entry = changeEntry(action, before, after, actor);
        await this.#options.audit.record(entry, saved, ...(action === "claim" ? assigned(after) : []));
        this.#note(after, underWay, action === "claim");
        return { before, task: { ...after, seq: before.seq, unmet: before.unmet } };
      } catch (error) {
        const isLate = error instanceof SwarmError && error.code === "SWARM_TASK_CHANGED";
        if (isLate && tries < maxTries) continue;
        if (!isLate) await this.#noteUnsure(taskId);
        throw error;
      }
    }
  }

  #note(task: Task, underWay: UnderWay, isClaimed = false): void {
    const { onWritten } = this.#options;
    const { newest } = underWay;
    onWritten?.(task, isClaimed);
    if (newest === null || newest.revision < task.revision) underWay.newest = task;
    else onWritten?.(newest, false);
  }

  async #noteUnsure(taskId: string): Promise<void> {
    this.unsure.add(taskId);
    try {
      await this.lookAgain(taskId);
    } catch (error) {
      if (!(error instanceof SwarmError)) throw error; // the next sweep looks
    }
  }

  /** New tasks, in one transaction with a row that names them all. */
  async add(tasks: readonly Task[], actor: string): Promise<void> {
    const [first] = tasks;
    if (first === undefined) return;
    const ids = tasks.map(({ task_id }) => task_id);
    const change: TaskChange = { kind: "tasks_added", tasks };
    const isOne = ids.length === 1;
    const entry = {
      ...entryFor(first, actor),
      ...(!isOne && { task: null, ref: null }),
      reason: isOne ? `add ${first.task_id}: open` : `add ${ids.length} tasks: open`,
      after: JSON.stringify(redact({ action: "add", tasks: tasks.map(statedIn) })),
    };
    const added = tasks.map((task) => ({ task, underWay: this.#begin(task.task_id) }));
    try {
      await this.#options.audit.record(entry, change);
      for (const { task, underWay } of added) this.#note(task, underWay);
    } finally {
      for (const { task, underWay } of added) this.#end(task.task_id, underWay);
    }
  }
}

/** An agent is known by the lease it was given last, also after a restart. */
function assigned({ owner, task_id, epoch }: Task): AgentChange[] {
  if (owner?.startsWith("agent:") !== true) return [];
  return [{ kind: "agent_assigned", agent_id: owner.slice("agent:".length), task_id, epoch }];
}

function entryFor({ task_id, cwd }: Task, actor: string): NewEntry {
  return {
    kind: "change",
    event: "task.changed",
    actor,
    ref: `task:${task_id}`,
    task: task_id,
    cwd,
    source: "swarm",
  };
}

/** The reason stays when payloads are forgotten: it alone tells which state followed which, at which epoch. */
function changeEntry(action: string, before: Task, after: Task, actor: string): NewEntry {
  const { state: from, task_id } = before;
  const { state: to, epoch } = after;
  return {
    ...entryFor(after, actor),
    reason: `${action} ${task_id}: ${from} → ${to} (epoch ${epoch})`,
    after: JSON.stringify(redact({ action, from, to, epoch, changed: changedIn(before, after) })),
  };
}

function changedIn(before: Task, after: Task): Readonly<Record<string, unknown>> {
  const skipped = ["updated_at", "seq", "unmet"];
  const old = before as unknown as Readonly<Record<string, unknown>>;
  const changed = Object.entries(after).filter(
    ([name, value]) => !skipped.includes(name) && JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

/** What a new task says of itself. */
function statedIn({ task_id, goal, role, priority, parent, depends_on, cwd }: Task) {
  return { task_id, goal, role, priority, parent, depends_on, cwd };
}
