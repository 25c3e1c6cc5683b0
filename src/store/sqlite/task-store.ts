import { SwarmError } from "../../base/errors.ts";
import type { StoredTask, Task } from "../../swarm/tasks/port/task.ts";
import type {
  Dependency,
  Reservation,
  TaskChange,
  TaskQuery,
  TaskStore,
} from "../../swarm/tasks/port/task-store.ts";
import type { TaskState } from "../../swarm/tasks/port/transitions.ts";
import type { ChangeWriters } from "../port/store.ts";
import { taskStatements } from "../sql/swarm.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Tasks in the store's file. */
export class SqliteTaskStore implements TaskStore {
  readonly changes: ChangeWriters<TaskChange> = {
    tasks_added: ({ tasks }) => this.#add(tasks),
    task_saved: ({ task, isRewired }) => this.#save(task, isRewired),
  };
  readonly #sql: Statements<typeof taskStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(taskStatements);
  }

  async find(taskId: string): Promise<StoredTask | null> {
    const row = this.#sql.findTask.one<TaskRow>({ task_id: taskId });
    return row === null ? null : taskOf(row);
  }

  async list(query: TaskQuery): Promise<StoredTask[]> {
    const { limit, beforeSeq: before_seq = Number.MAX_SAFE_INTEGER } = query;
    const { state = null, role = null, parent = null, owner = null } = query;
    return this.#sql.listTasks.all<TaskRow>({ before_seq, state, role, parent, owner, limit }).map(taskOf);
  }

  async ready(now: string, role: string | null, limit: number): Promise<StoredTask[]> {
    const rows =
      role === null
        ? this.#sql.readyForAny.all<TaskRow>({ now, limit })
        : this.#sql.readyForRole.all<TaskRow>({ now, role, limit });
    return rows.map(taskOf);
  }

  async descendants(taskId: string, limit: number): Promise<StoredTask[]> {
    return this.#sql.descendants.all<TaskRow>({ task_id: taskId, limit }).map(taskOf);
  }

  async unmetOf(taskId: string): Promise<StoredTask[]> {
    return this.#sql.unmetOf.all<TaskRow>({ task_id: taskId }).map(taskOf);
  }

  async dependenciesOf(taskId: string): Promise<Dependency[]> {
    return this.#sql.dependenciesOf.all<Dependency>({ task_id: taskId });
  }

  async dependentsOf(taskId: string): Promise<StoredTask[]> {
    return this.#sql.dependentsOf.all<TaskRow>({ task_id: taskId }).map(taskOf);
  }

  async reserve({ reservation, now, until, role, taskId }: Reservation): Promise<StoredTask | null> {
    const values = { reservation, now, until, limit: 1 };
    const rows =
      taskId !== null
        ? this.#sql.reserveTask.all<TaskRow>({ ...values, task_id: taskId })
        : role !== null
          ? this.#sql.reserveForRole.all<TaskRow>({ ...values, role })
          : this.#sql.reserveForAny.all<TaskRow>(values);
    return rows[0] === undefined ? null : taskOf(rows[0]);
  }

  async unreserve(taskId: string, reservation: string): Promise<void> {
    this.#sql.unreserve.run({ task_id: taskId, reservation });
  }

  async renew(taskId: string, epoch: number, until: string): Promise<boolean> {
    if (this.#sql.renew.run({ task_id: taskId, epoch, until }) === 1) return true;
    // A lease that lasts longer already stays as it is.
    return this.#sql.isHeldAt.one({ task_id: taskId, epoch }) !== null;
  }

  async held(limit: number): Promise<StoredTask[]> {
    return this.#sql.held.all<TaskRow>({ limit }).map(taskOf);
  }

  async due(by: string, limit: number): Promise<StoredTask[]> {
    return this.#sql.due.all<TaskRow>({ by, limit }).map(taskOf);
  }

  async counts(): Promise<Partial<Record<TaskState, number>>> {
    const rows = this.#sql.countStates.all<{ state: TaskState; tasks: number }>();
    return Object.fromEntries(rows.map(({ state, tasks }) => [state, tasks]));
  }

  #add(tasks: readonly Task[]): void {
    for (const task of tasks)
      if (this.#sql.insertTask.run(columnsOf(task)) === 0)
        throw new SwarmError("SWARM_TASK_EXISTS", { task: task.task_id });
    for (const task of tasks) this.#wire(task);
  }

  #save(task: Task, isRewired: boolean): void {
    const { task_id } = task;
    if (this.#sql.saveTask.run(columnsOf(task)) === 0)
      throw new SwarmError("SWARM_TASK_CHANGED", { task: task_id });
    if (isRewired) {
      this.#sql.forgetDependencies.run({ task_id });
      this.#wire(task);
    }
    if (task.state === "landed") this.#sql.countUnmetOfDependents.run({ task_id });
  }

  #wire({ task_id, depends_on }: Task): void {
    for (const needed of depends_on) this.#sql.insertDependency.run({ task_id, depends_on: needed });
    this.#sql.countUnmet.run({ task_id });
  }
}

/** What statements ask for; the rest is one value. */
const columns = [
  "task_id",
  "parent",
  "role",
  "priority",
  "state",
  "revision",
  "epoch",
  "owner",
  "lease_until",
  "ready_at",
  "retry_at",
] as const;
type Column = (typeof columns)[number];

type TaskRow = Pick<StoredTask, Exclude<Column, "role"> | "seq" | "unmet"> & {
  readonly role: string;
  readonly reservation: string | null;
  readonly reserved_until: string | null;
  readonly details: string;
};

function columnsOf(task: Task) {
  const { task_id, parent, role, priority, state, revision, epoch, owner, lease_until, ready_at, retry_at } =
    task;
  const own = { task_id, parent, priority, state, revision, epoch, owner, lease_until, ready_at, retry_at };
  const apart: readonly string[] = [...columns, "seq", "unmet"];
  const rest = Object.entries(task).filter(([name]) => !apart.includes(name));
  return { ...own, role: role ?? "", details: JSON.stringify(Object.fromEntries(rest)) };
}

function taskOf({ details, role, reservation: _by, reserved_until: _until, ...row }: TaskRow): StoredTask {
  return { ...(JSON.parse(details) as Task), ...row, role: role === "" ? null : role };
}
