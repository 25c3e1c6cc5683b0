import { SwarmError } from "../../base/errors.ts";
import { invalidOption } from "../../base/invalid-option.ts";
import type { TaskEvents } from "./events.ts";
import { checkEdit, checkTask, newTask } from "./new-task.ts";
import { refuseCycles } from "./dependencies.ts";
import type { StoredTask, Task } from "./port/task.ts";
import type { TaskQuery, TaskStore } from "./port/task-store.ts";
import { type TaskState, taskStates } from "./port/transitions.ts";
import type { TaskWriter } from "./writer.ts";

export interface TasksOptions {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly events: TaskEvents;
  readonly newId: (prefix: string) => string;
}

/** Who asks, and from where. */
export interface Asker {
  /** `human:NAME` or `agent:ID`. */
  readonly actor: string;
  /** The folder a task belongs to that names none. */
  readonly cwd: string;
  /** Of a worker: the task it works on. It may add tasks below that one and nowhere else. */
  readonly within?: string | null;
}

export interface TaskTree {
  readonly task: StoredTask;
  readonly children: readonly TaskTree[];
}

const maxTree = 10_000;

/** Tasks as they are asked for: what they say, what they wait for, what they are part of. */
export class Tasks {
  readonly #options: TasksOptions;

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  find(taskId: string): Promise<StoredTask> {
    return this.#options.writer.find(taskId);
  }

  list(query: TaskQuery): Promise<StoredTask[]> {
    return this.#options.store.list(query);
  }

  ready(role: string | null, limit: number): Promise<StoredTask[]> {
    return this.#options.store.ready(this.#options.writer.now, role, limit);
  }

  /** The tasks it depends on that have not landed. */
  async waitsFor(taskId: string) {
    const unmet = await this.#options.store.unmetOf(taskId);
    return unmet.map(({ task_id, state }) => ({ task_id, state }));
  }

  async counts(): Promise<Record<TaskState, number>> {
    const found = await this.#options.store.counts();
    return Object.fromEntries(taskStates.map((state) => [state, found[state] ?? 0])) as Record<
      TaskState,
      number
    >;
  }

  async tree(taskId: string): Promise<TaskTree> {
    const task = await this.find(taskId);
    const below = await this.#options.store.descendants(taskId, maxTree);
    const childrenOf = Map.groupBy(below, ({ parent }) => parent);
    const treeOf = (own: StoredTask): TaskTree => {
      return { task: own, children: (childrenOf.get(own.task_id) ?? []).map(treeOf) };
    };
    return treeOf(task);
  }

  /** Adds tasks, which may depend on each other: all of them, or none when one is wrong or refused. */
  async add(given: readonly unknown[], asker: Asker): Promise<StoredTask[]> {
    const { writer, events, newId } = this.#options;
    const { now } = writer;
    const tasks = given.map((one, at) => {
      const task = numbered(at, given.length, () => {
        checkTask(one);
        return one;
      });
      return newTask(task, { ...asker, task_id: task.task_id ?? newId("task"), now });
    });
    await this.#check(tasks, asker);
    for (const task of tasks) await events.mayBeAdded(task, asker.actor);
    await writer.add(tasks, asker.actor);
    return Promise.all(tasks.map(({ task_id }) => this.find(task_id)));
  }

  /** Changes what is said of a task; what became of it stays. */
  async edit(taskId: string, given: unknown, asker: Asker): Promise<StoredTask> {
    checkEdit(given);
    await this.#options.writer.change(taskId, "edit", asker.actor, async (task, now) => {
      const { max_attempts = task.max_attempts } = given;
      if (max_attempts !== task.max_attempts && max_attempts <= task.attempts)
        throw invalidOption(
          "task",
          "max_attempts",
          `more than the ${task.attempts} it has used`,
          max_attempts,
        );
      const edit = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const next: Task = { ...task, ...edit, revision: task.revision + 1, updated_at: now };
      if (given.depends_on !== undefined) await this.#check([next], asker, true);
      return next;
    });
    return this.find(taskId);
  }

  /** Whether the task is this one, or below it. */
  async isWithin(taskId: string, top: string): Promise<boolean> {
    for (let id: string | null = taskId, steps = 0; id !== null && steps < maxTree; steps++) {
      if (id === top) return true;
      id = (await this.#options.store.find(id))?.parent ?? null;
    }
    return false;
  }

  async #check(tasks: readonly Task[], { within }: Asker, isEdit = false): Promise<void> {
    const own = new Map<string, Task>();
    for (const task of tasks) {
      const isTaken = own.has(task.task_id) || (!isEdit && (await this.#exists(task.task_id)));
      if (isTaken) throw new SwarmError("SWARM_TASK_EXISTS", { task: task.task_id });
      own.set(task.task_id, task);
    }
    const dependencies = [];
    for (const { task_id, parent, depends_on } of tasks) {
      for (const needed of [parent, ...depends_on]) {
        if (needed === null || own.has(needed)) continue;
        if (!(await this.#exists(needed))) throw new SwarmError("SWARM_TASK_UNKNOWN", { task: needed });
      }
      for (const needed of depends_on) {
        dependencies.push({ task_id, depends_on: needed });
        if (!own.has(needed)) dependencies.push(...(await this.#options.store.dependenciesOf(needed)));
      }
    }
    refuseCycles([...own.keys()], dependencies);
    refuseCycles(
      [...own.keys()],
      tasks.flatMap(({ task_id, parent }) => (parent === null ? [] : [{ task_id, depends_on: parent }])),
    );
    if (within === undefined || isEdit) return;
    for (const { task_id, parent } of tasks) {
      // A parent within the same file has a parent of its own, which is checked as well.
      const isBelow =
        parent !== null && within !== null && (own.has(parent) || (await this.isWithin(parent, within)));
      if (isBelow) continue;
      const reason = `a worker adds tasks below its own, ${within ?? "and it has none"}`;
      throw new SwarmError("SWARM_TASK_REFUSED", { what: `task ${task_id}`, reason });
    }
  }

  async #exists(taskId: string): Promise<boolean> {
    return (await this.#options.store.find(taskId)) !== null;
  }
}

/** What is wrong with one of many says which. */
function numbered<T>(at: number, count: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SwarmError) || count === 1) throw error;
    throw new SwarmError("SWARM_TASKS_INVALID", { at: at + 1, problem: error.message }, { cause: error });
  }
}
