import type { JsonSchema } from "../../engine/events/json-schema.ts";
import { closed } from "../../daemon/rest/schemas.ts";
import { count, string, stringOrNull, strings, time, timeOrNull } from "../../daemon/rest/shapes.ts";
import { complexities, type StoredTask } from "./port/task.ts";
import { attemptEndings, taskStates } from "./port/transitions.ts";
import type { TaskTree } from "./tasks.ts";

type Kept = "seq" | "owner_process" | "lease_tokens" | "setbacks" | "reservation";

/** Without what only the process that keeps it needs. */
export function describeTask(task: StoredTask) {
  const { seq: _seq, owner_process: _process, lease_tokens: _tokens, setbacks: _setbacks, ...shown } = task;
  return shown;
}

const shown: Readonly<Record<Exclude<keyof StoredTask, Kept>, JsonSchema>> = {
  task_id: string,
  goal: string,
  title: stringOrNull,
  role: { ...stringOrNull, description: "The role that works on it; null: any." },
  priority: { ...count, description: "Lower numbers go first." },
  scope: strings,
  complexity: { enum: complexities },
  acceptance: stringOrNull,
  parent: stringOrNull,
  depends_on: strings,
  gates: strings,
  budget: { type: ["object", "null"] },
  no_change: { type: "boolean", description: "Done with its report and evidence: it changes no files." },
  max_attempts: count,
  cwd: string,
  state: { enum: taskStates },
  revision: count,
  reason: { ...stringOrNull, description: "Why it is in its state." },
  ending: { enum: [...attemptEndings, null], description: "How the last attempt ended, unless by a report." },
  epoch: { ...count, description: "Rises with every claim and names the lease." },
  owner: { ...stringOrNull, description: "Who has it: `agent:ID` or `human:NAME`." },
  claimed_at: timeOrNull,
  lease_until: timeOrNull,
  attempts: { ...count, description: "Over its whole life, as all counters." },
  resumes: count,
  retries: count,
  sessions: count,
  tokens_used: count,
  ready_at: time,
  retry_at: timeOrNull,
  progress: stringOrNull,
  resume_note: { ...stringOrNull, description: "What the next holder should know." },
  question: stringOrNull,
  answer: stringOrNull,
  summary: stringOrNull,
  files_changed: strings,
  evidence: { type: "array" },
  superseded_by: stringOrNull,
  created_at: time,
  created_by: string,
  updated_at: time,
  ended_at: timeOrNull,
  unmet: { ...count, description: "How many of the tasks it depends on have not landed." },
};

export const taskSchema = closed(shown);

/** With what it waits for. */
export const shownTaskSchema = closed({
  ...shown,
  waits_for: { type: "array", items: closed({ task_id: string, state: { enum: taskStates } }) },
});

export const claimSchema = closed({
  task: taskSchema,
  lease: closed({ epoch: count, expires_at: time }),
});

export const leaseSchema = closed({ epoch: count, expires_at: time });

/** In the order of a walk from the top, each with how far down it is. */
export function describeTree(
  tree: TaskTree,
  depth = 0,
): { task: ReturnType<typeof describeTask>; depth: number }[] {
  const own = { task: describeTask(tree.task), depth };
  return [own, ...tree.children.flatMap((child) => describeTree(child, depth + 1))];
}

export const treeSchema = closed({
  items: { type: "array", items: closed({ task: taskSchema, depth: count }) },
});
