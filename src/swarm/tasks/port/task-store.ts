import type { Page } from "../../../store/port/store.ts";
import type { StoredTask, Task } from "./task.ts";
import type { TaskState } from "./transitions.ts";

/** New tasks, all or none. Throws SWARM_TASK_EXISTS when an id is taken. */
export interface TasksAdded {
  readonly kind: "tasks_added";
  readonly tasks: readonly Task[];
}

/** A task as it is now. It must be at the revision before, or SWARM_TASK_CHANGED is thrown. */
export interface TaskSaved {
  readonly kind: "task_saved";
  readonly task: Task;
  /** Whether it depends on other tasks than before. */
  readonly isRewired: boolean;
}

export type TaskChange = TasksAdded | TaskSaved;

export interface Dependency {
  readonly task_id: string;
  readonly depends_on: string;
}

export interface TaskQuery extends Page {
  readonly state?: TaskState | undefined;
  readonly role?: string | undefined;
  readonly parent?: string | undefined;
  readonly owner?: string | undefined;
}

/** Who wants to claim a task. */
export interface Reservation {
  /** Names it; another of the same name is the same. */
  readonly reservation: string;
  readonly now: string;
  /** Until then nobody else is given the task. */
  readonly until: string;
  /** Tasks of this role or of none; null: of any. */
  readonly role: string | null;
  /** This one and no other. */
  readonly taskId: string | null;
}

/** Tasks, what they wait for, and who has them. One suite (`task-store.cases.ts`) holds for every driver. */
export interface TaskStore {
  find(taskId: string): Promise<StoredTask | null>;
  /** Newest first. */
  list(query: TaskQuery): Promise<StoredTask[]>;
  /** Those that can be claimed, in the order in which they will be. */
  ready(now: string, role: string | null, limit: number): Promise<StoredTask[]>;
  /** Tasks of which this is the parent, and theirs, oldest first. */
  descendants(taskId: string, limit: number): Promise<StoredTask[]>;
  /** Tasks this one waits for, that have not landed. */
  unmetOf(taskId: string): Promise<StoredTask[]>;
  /** What it depends on, what that depends on, and so on. */
  dependenciesOf(taskId: string): Promise<Dependency[]>;
  /** Those that wait for it. */
  dependentsOf(taskId: string): Promise<StoredTask[]>;
  /**
   * Sets the next ready task aside for whoever asks, in one statement: of any number who ask at once, no two are given the
   * same. By priority, then by age. Null: none is ready. It is still open, and claimed by a `task_saved`.
   */
  reserve(reservation: Reservation): Promise<StoredTask | null>;
  /** Gives back what was set aside, as if it had never been. */
  unreserve(taskId: string, reservation: string): Promise<void>;
  /** Prolongs the lease of this epoch; false when another has the task by now. Nothing but the time changes. */
  renew(taskId: string, epoch: number, until: string): Promise<boolean>;
  /** Claimed or worked on. */
  held(limit: number): Promise<StoredTask[]>;
  /** Leases that are over, and failed tasks that are to be retried, by then. */
  due(by: string, limit: number): Promise<StoredTask[]>;
  /** How many there are in each state. */
  counts(): Promise<Readonly<Partial<Record<TaskState, number>>>>;
}
