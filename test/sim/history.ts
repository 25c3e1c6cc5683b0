import type { RunEvent } from "../../src/record/port/run-event.ts";
import type { StoredTask, Task } from "../../src/swarm/tasks/port/task.ts";
import {
  isHeld,
  type TaskAction,
  type TaskState,
  type Transition,
  transitions,
} from "../../src/swarm/tasks/port/transitions.ts";

/** Something that must never be. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export function demand(holds: boolean, what: () => string): asserts holds {
  if (!holds) throw new Violation(what());
}

/** Who had a task by an epoch, and between which rows of the record. */
export interface Tenure {
  readonly actor: string | null;
  readonly from: number;
  /** The row that ended it; null: it lasts. */
  until: number | null;
}

interface Known {
  task: Record<string, unknown> & Pick<Task, "state" | "epoch" | "owner" | "depends_on">;
  readonly tenures: Map<number, Tenure>;
  readonly setbacks: number[];
  /** Whether fields of which no row tells were taken from the stored row. */
  isFilledIn: boolean;
}

type Counter = "attempts" | "resumes" | "retries" | "sessions" | "tokens_used";

/** Which actions may raise a counter, and by how much at most. */
const counters: Readonly<Record<Counter, { readonly by: readonly string[]; readonly atMost: number }>> = {
  attempts: { by: ["report", "fail", "lose"], atMost: 1 },
  resumes: { by: ["lose"], atMost: 1 },
  retries: { by: ["retry"], atMost: 1 },
  sessions: { by: ["progress"], atMost: 1 },
  tokens_used: { by: ["progress", "report", "fail"], atMost: Number.POSITIVE_INFINITY },
};
const counterNames = Object.keys(counters) as readonly Counter[];

/** What the rules say, written a second time on purpose: these are not imported from what they check. */
const maxResumes = 3;
const maxSetbacks = 5;
const setbackWindowMs = 15 * 60_000;

const heldActions: readonly string[] = ["progress", "report", "fail", "pause", "ask"];
const ofNewTask = {
  ...{ state: "open", revision: 1, epoch: 0, owner: null, attempts: 0, resumes: 0, retries: 0, sessions: 0 },
  ...{ tokens_used: 0, lease_tokens: 0, setbacks: [], ending: null, claimed_at: null, ended_at: null },
};
/** Of these no row tells: a lease is prolonged without one, the others follow from elsewhere. */
const unrecorded = new Set(["seq", "unmet", "lease_until", "updated_at", "created_at", "created_by"]);

interface Recorded {
  readonly action: TaskAction | "edit";
  readonly from: TaskState;
  readonly to: TaskState;
  readonly epoch: number;
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Tasks as the record alone tells of them: each row has to be legal after those before. */
export class History {
  readonly #tasks = new Map<string, Known>();
  readonly #completions = new Map<string, number>();
  seq = 0;

  get taskIds(): string[] {
    return [...this.#tasks.keys()];
  }

  /** Follows a row; returns the tasks it tells of. */
  follow(row: RunEvent, after: string | null): readonly string[] {
    this.seq = row.seq;
    if (row.event !== "task.changed" || after === null) return [];
    const told = JSON.parse(after) as Recorded | { action: "add"; tasks: Task[] };
    if (told.action !== "add") {
      const id = String(row.task);
      this.#change(id, this.#known(id), row, told as Recorded);
      return [id];
    }
    const { tasks } = told as { tasks: Task[] };
    for (const task of tasks) {
      demand(!this.#tasks.has(task.task_id), () => `task ${task.task_id} was added twice`);
      this.#tasks.set(task.task_id, {
        task: { ...ofNewTask, ...task, state: "open" },
        ...{ tenures: new Map(), setbacks: [], isFilledIn: false },
      });
    }
    return tasks.map(({ task_id }) => task_id);
  }

  /** The stored row must be what its history in the record comes to. */
  compare(stored: StoredTask): void {
    const known = this.#known(stored.task_id);
    const { task } = known;
    const row = stored as unknown as Readonly<Record<string, unknown>>;
    if (!known.isFilledIn) {
      known.task = { ...row, ...task };
      known.isFilledIn = true;
    }
    for (const [name, value] of Object.entries(row)) {
      if (unrecorded.has(name)) continue;
      const told = JSON.stringify(known.task[name]);
      demand(
        JSON.stringify(value) === told,
        () =>
          `task ${stored.task_id}: stored is ${name} ${JSON.stringify(value)}, the record leads to ${told}`,
      );
    }
    const isOver = !isHeld(stored.state) && stored.lease_until !== null;
    demand(!isOver, () => `task ${stored.task_id} is ${stored.state} and has a lease`);
    const unmet = task.depends_on.filter((id) => this.#tasks.get(id)?.task.state !== "landed").length;
    demand(
      stored.unmet === unmet,
      () => `task ${stored.task_id} is said to wait for ${stored.unmet} tasks, and waits for ${unmet}`,
    );
  }

  tenure(taskId: string, epoch: number): Tenure | undefined {
    return this.#tasks.get(taskId)?.tenures.get(epoch);
  }

  stateOf(taskId: string): TaskState | undefined {
    return this.#tasks.get(taskId)?.task.state;
  }

  /** `task.completed` was emitted. */
  completed(taskId: string): void {
    const times = (this.#completions.get(taskId) ?? 0) + 1;
    this.#completions.set(taskId, times);
    demand(times === 1, () => `task ${taskId} was completed ${times} times`);
  }

  /** Completed is only what has landed. */
  checkCompletions(): void {
    for (const id of this.#completions.keys())
      demand(this.stateOf(id) === "landed", () => `task ${id} was completed and is ${this.stateOf(id)}`);
  }

  #known(id: string): Known {
    const known = this.#tasks.get(id);
    demand(known !== undefined, () => `task ${id} is in the store and no row tells of it`);
    return known;
  }

  #change(id: string, known: Known, row: RunEvent, { action, from, to, epoch, changed }: Recorded): void {
    const { task: before } = known;
    const what = `row ${row.seq}, ${action} of ${id}`;
    demand(from === before.state, () => `${what}: from ${from}, but it was ${before.state}`);
    const { from: sources, to: targets }: Pick<Transition, "from" | "to"> =
      action === "edit" ? { from: [from], to: [from] } : transitions[action];
    const isLegal = sources.includes(from) && targets.includes(to);
    demand(isLegal, () => `${what}: ${from} → ${to} is no transition`);
    const expected = before.epoch + (action === "claim" ? 1 : 0);
    demand(epoch === expected, () => `${what}: epoch ${epoch} after ${before.epoch}`);
    const task = { ...before, ...changed, state: to, epoch };
    checkCounters(what, action, before, task);
    if (action === "claim") this.#checkClaim(what, before);
    const isOthers = heldActions.includes(action) && row.actor !== before.owner;
    demand(!isOthers, () => `${what}: by ${row.actor}, but ${before.owner} has it`);
    if (["fail", "lose", "send_back"].includes(action)) checkSetback(what, action, known, task);
    const last = known.tenures.get(before.epoch);
    const hasEnded = task.owner === null || action === "claim";
    if (hasEnded && last !== undefined && last.until === null) last.until = row.seq;
    if (action === "claim") known.tenures.set(epoch, { actor: task.owner, from: row.seq, until: null });
    known.task = task;
  }

  #checkClaim(what: string, before: Known["task"]): void {
    const unmet = before.depends_on.filter((id) => this.stateOf(id) !== "landed");
    demand(unmet.length === 0, () => `${what}: before ${unmet.join(", ")} landed`);
    const { attempts, max_attempts } = before;
    const isBeyond = typeof max_attempts === "number" && Number(attempts) >= max_attempts;
    demand(!isBeyond, () => `${what}: ${attempts} of ${max_attempts} attempts are used`);
  }
}

function checkCounters(
  what: string,
  action: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  for (const name of counterNames) {
    const more = Number(after[name]) - Number(before[name]);
    const { by, atMost } = counters[name];
    const isLegal = more === 0 || (more > 0 && more <= atMost && by.includes(action));
    demand(isLegal, () => `${what}: ${name} went from ${before[name]} to ${after[name]}`);
  }
  const ended = ["report", "fail", "lose"].includes(action);
  const isCounted = !ended || Number(after.attempts) === Number(before.attempts) + 1;
  demand(isCounted, () => `${what}: the attempt is not counted`);
}

/** A fifth setback within fifteen minutes stops a task, and so does a fourth resume. */
function checkSetback(what: string, action: string, known: Known, after: Known["task"]): void {
  const atMs = Date.parse(String((after.setbacks as readonly string[]).at(-1)));
  known.setbacks.push(atMs);
  const recent = known.setbacks.filter((time) => time > atMs - setbackWindowMs && time <= atMs).length;
  const goesOn = after.state === "open" || (after.state === "failed" && after.retry_at !== null);
  demand(!(goesOn && recent >= maxSetbacks), () => `${what}: goes on after ${recent} setbacks in 15 minutes`);
  const { resumes } = after;
  const isResumed = after.state === "open" && action === "lose" && Number(resumes) > maxResumes;
  demand(!isResumed, () => `${what}: is resumed for the ${String(resumes)}th time`);
}
