import { isAbsolute } from "node:path";
import { invalidOption } from "../../base/invalid-option.ts";
import { checkFields, settingMisfit } from "../../engine/events/check-fields.ts";
import type { Fields, JsonObject } from "../../engine/events/schema.ts";
import { editFields, type GivenTask, type Task, type TaskEdit, taskFields } from "./port/task.ts";

/** Whatever is said of a task may enter a model's context and every row about it. */
const maxChars = 65_536;
const maxListed = 1_000;
const budgetUnits = ["usd", "tokens", "sessions", "wall_s"] as const;

/** Checks what is said of a task, whichever way it came in. */
export function checkTask(given: unknown): asserts given is GivenTask {
  check(taskFields, given);
  const { cwd } = given as GivenTask;
  if (cwd !== undefined && !isAbsolute(cwd)) throw invalidOption("task", "cwd", "an absolute path", cwd);
}

export function checkEdit(given: unknown): asserts given is TaskEdit {
  check(editFields, given);
}

function check(fields: Fields, given: unknown): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalidOption("task", "task", "an object", given);
  checkFields("task", fields, given as JsonObject, settingMisfit);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const isLong = JSON.stringify(value).length > maxChars;
    if (isLong) throw invalidOption("task", name, `at most ${maxChars} characters`, value);
    if (Array.isArray(value) && value.length > maxListed)
      throw invalidOption("task", name, `at most ${maxListed} of them`, value.length);
  }
  checkBudget((given as TaskEdit).budget ?? {});
}

function checkBudget(budget: JsonObject): void {
  for (const [unit, limit] of Object.entries(budget)) {
    const isKnown = (budgetUnits as readonly string[]).includes(unit);
    if (isKnown && typeof limit === "number" && Number.isFinite(limit) && limit >= 0) continue;
    throw invalidOption("task", "budget", `numbers from 0 for ${budgetUnits.join(", ")}`, budget);
  }
}

export interface MadeBy {
  readonly task_id: string;
  readonly actor: string;
  readonly now: string;
  readonly cwd: string;
}

/** An open task, with what was not said filled in. */
export function newTask(given: GivenTask, { task_id, actor, now, cwd }: MadeBy): Task {
  return {
    task_id,
    goal: given.goal,
    title: given.title ?? null,
    role: given.role ?? null,
    priority: given.priority ?? 2,
    scope: given.scope ?? [],
    complexity: given.complexity ?? "medium",
    acceptance: given.acceptance ?? null,
    parent: given.parent ?? null,
    depends_on: [...new Set(given.depends_on ?? [])],
    gates: given.gates ?? [],
    budget: given.budget ?? null,
    no_change: given.no_change ?? false,
    max_attempts: given.max_attempts ?? 10,
    cwd: given.cwd ?? cwd,
    state: "open",
    revision: 1,
    reason: null,
    ending: null,
    epoch: 0,
    owner: null,
    owner_process: null,
    claimed_at: null,
    lease_until: null,
    attempts: 0,
    resumes: 0,
    retries: 0,
    sessions: 0,
    tokens_used: 0,
    lease_tokens: 0,
    setbacks: [],
    ready_at: now,
    retry_at: null,
    progress: null,
    resume_note: null,
    question: null,
    answer: null,
    summary: null,
    files_changed: [],
    evidence: [],
    superseded_by: null,
    created_at: now,
    created_by: actor,
    updated_at: now,
    ended_at: null,
  };
}
