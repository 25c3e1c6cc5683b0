import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Outcome } from "../../engine/events/outcome.ts";
import type { Task } from "./port/task.ts";

/** Asks hooks before a task is added or claimed, and tells them what became of it. */
export class TaskEvents {
  readonly #emit: Emit;
  readonly #log: Log;

  constructor(emit: Emit, log: Log) {
    this.#emit = emit;
    this.#log = log;
  }

  /** Throws SWARM_TASK_REFUSED with the reason of whoever refused it. */
  async mayBeAdded(task: Task, actor: string): Promise<void> {
    const outcome = await this.#emit({
      event: "task.created",
      data: taskPayload(task),
      ...from(task, actor),
    });
    refuseDenied(outcome, `task ${task.task_id}`);
  }

  async mayBeClaimed(task: Task, actor: string): Promise<void> {
    const data = { ...taskPayload(task), agent_id: agentIn(actor) };
    const outcome = await this.#emit({ event: "task.claimed", data, ...from(task, actor) });
    refuseDenied(outcome, `the claim of task ${task.task_id}`);
  }

  async completed(task: Task, actor: string): Promise<void> {
    const { summary, files_changed } = task;
    const data = { ...ended(task), summary: summary ?? task.reason ?? "", files_changed };
    await tellOrLog(this.#log, () => this.#emit({ event: "task.completed", data, ...from(task, actor) }));
  }

  async failed(task: Task, holder: Task, actor: string): Promise<void> {
    const { reason, retries } = task;
    const data = { ...ended(holder), error: reason ?? "it failed", retry_count: retries };
    await tellOrLog(this.#log, () => this.#emit({ event: "task.failed", data, ...from(task, actor) }));
  }

  async retried(task: Task, error: string | null, actor: string): Promise<void> {
    const data = { ...taskPayload(task), ...(error !== null && { error }), retry_count: task.retries };
    await tellOrLog(this.#log, () => this.#emit({ event: "task.retried", data, ...from(task, actor) }));
  }

  async cancelled(task: Task, holder: Task, actor: string): Promise<void> {
    const data = { ...ended(holder), reason: task.reason ?? "it was cancelled", cancelled_by: actor };
    const { tokens_used: _tokens, duration_s: _duration, ...told } = data;
    await tellOrLog(this.#log, () =>
      this.#emit({ event: "task.cancelled", data: told, ...from(task, actor) }),
    );
  }
}

/** A decision that is not a yes is a no: somebody who is still to be asked has not agreed. */
export function refuseDenied({ decision, approval }: Outcome, what: string): void {
  const { verdict, reason, hook } = decision;
  if (verdict === "none" || verdict === "allow") return;
  const waits = approval?.status === "pending" ? `it waits for approval ${approval.id}` : verdict;
  throw new SwarmError("SWARM_TASK_REFUSED", {
    what,
    reason: reason ?? (hook === null ? waits : `by ${hook}`),
  });
}

/** What hooks are told of every task. */
export function taskPayload({ task_id, title, goal, role, priority, scope, complexity }: Task) {
  const named = { ...(title !== null && { title }), ...(role !== null && { role }) };
  return { task_id, goal, ...named, priority, scope, complexity };
}

function ended(task: Task) {
  const { claimed_at, updated_at, ended_at, tokens_used, owner } = task;
  const untilMs = Date.parse(ended_at ?? updated_at);
  const agent_id = owner === null ? {} : { agent_id: agentIn(owner) };
  const duration =
    claimed_at === null ? {} : { duration_s: Math.max(0, untilMs - Date.parse(claimed_at)) / 1_000 };
  return { ...taskPayload(task), ...agent_id, ...duration, tokens_used };
}

/** `agent:ID` without its kind; a person who holds a task is named as the record names people. */
export function agentIn(owner: string): string {
  return owner.startsWith("agent:") ? owner.slice("agent:".length) : owner;
}

function from({ task_id: task, cwd, owner }: Task, actor: string) {
  const agent = owner === null ? {} : { agent: agentIn(owner) };
  return { origin: { source: "swarm", task, cwd, ...agent }, actor };
}
