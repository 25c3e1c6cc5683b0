import {
  integer,
  flag,
  list,
  nullable,
  object,
  oneOf,
  required,
  text,
  texts,
} from "../../../engine/events/schema.ts";
import { idPattern } from "../../../base/ids.ts";
import type { PayloadOf } from "../../../engine/events/schema.ts";
import type { AttemptEnding, TaskState } from "./transitions.ts";

export const complexities = ["small", "medium", "large"] as const;

const id = { pattern: idPattern, expected: "letters, digits, _ and -, at most 64" };

/** What can be asked of a task. REST, the command line, files of tasks and documentation follow from these rows. */
export const taskFields = {
  task_id: { ...text("Its id; default one that is made."), ...id },
  goal: required(text("What it should achieve.")),
  title: nullable(text("A short name.")),
  role: nullable({ ...text("The role that works on it; default any."), ...id }),
  priority: { ...integer("Lower numbers go first, 0 to 9; default 2."), min: 0, max: 9 },
  scope: texts("Paths the task may touch."),
  complexity: oneOf(complexities, "Estimated size; default medium."),
  acceptance: nullable(text("When it counts as done.")),
  parent: nullable({ ...text("The task it is part of."), ...id }),
  depends_on: { ...texts("Tasks that have to land first."), ...id },
  gates: { ...texts("Quality gates its work has to pass."), ...id },
  budget: nullable(object("What it may spend: `usd`, `tokens`, `sessions`, `wall_s`.")),
  no_change: flag("Whether it changes no files and is done with its report and evidence; default false."),
  max_attempts: {
    ...integer("Attempts over its lifetime, however they are started, 1 to 100; default 10."),
    min: 1,
    max: 100,
  },
  cwd: text("Folder of the project it belongs to, as an absolute path."),
};

export type GivenTask = PayloadOf<typeof taskFields>;

/** What may be changed of a task afterwards. */
const { task_id: _id, parent: _parent, cwd: _cwd, goal, ...changeable } = taskFields;
export const editFields = { ...changeable, goal: text(goal.doc) };
export type TaskEdit = PayloadOf<typeof editFields>;

/** What shows that the work was done, and how far that can be believed. */
export const evidenceFields = {
  evidence: list("What shows that it is done: objects with `what` and, where there is one, `where`."),
};

/** A process that works on a task: a number may be given to another process, so its start belongs to it. */
export interface OwnerProcess {
  readonly place: string;
  readonly pid: number;
  readonly born: string | null;
}

/** What is asked, and what became of it. */
export interface Task
  extends Required<{ readonly [N in keyof GivenTask]: Exclude<GivenTask[N], undefined> }> {
  readonly state: TaskState;
  /** Rises with every write; a write that names another is refused. */
  readonly revision: number;
  /** Why it is in its state. */
  readonly reason: string | null;
  /** How the last attempt ended, where it did not end with a report. */
  readonly ending: AttemptEnding | null;

  /** Rises with every claim and names the lease: who holds another epoch holds nothing. */
  readonly epoch: number;
  /** `agent:ID` or `human:NAME`: who has the lease, or had it when the work was reported. */
  readonly owner: string | null;
  readonly owner_process: OwnerProcess | null;
  readonly claimed_at: string | null;
  readonly lease_until: string | null;

  /** Of its whole life; nothing ever lowers them. */
  readonly attempts: number;
  readonly resumes: number;
  readonly retries: number;
  readonly sessions: number;
  readonly tokens_used: number;
  /** Of those, how many the present holder has reported. */
  readonly lease_tokens: number;
  /** When the latest attempts that came to nothing ended. */
  readonly setbacks: readonly string[];

  /** From when on it may be claimed; its age counts from there. */
  readonly ready_at: string;
  /** Failed: when it is tried again by itself; null: a person has to say so. */
  readonly retry_at: string | null;
  readonly progress: string | null;
  /** What the next holder should know of the attempts before. */
  readonly resume_note: string | null;
  readonly question: string | null;
  readonly answer: string | null;
  readonly summary: string | null;
  readonly files_changed: readonly string[];
  readonly evidence: readonly unknown[];
  readonly superseded_by: string | null;

  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly ended_at: string | null;
}

/** A task as it is kept. */
export interface StoredTask extends Task {
  readonly seq: number;
  /** How many of the tasks it depends on have not landed. */
  readonly unmet: number;
}
