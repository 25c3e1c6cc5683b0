import { hash } from "node:crypto";
import { SwarmError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { tellOrLog } from "../../base/tell-or-log.ts";
import type { AgentKind } from "../../daemon/access/port/token-store.ts";
import type { Emit } from "../../daemon/runtime/port/emit.ts";
import type { Clock } from "../../base/clock.ts";
import type { Page } from "../../store/port/store.ts";
import type { Audit } from "../../record/port/audit.ts";
import type { TaskStore } from "../tasks/port/task-store.ts";
import type { OwnerProcess, StoredTask } from "../tasks/port/task.ts";
import type { Holder } from "../tasks/leases.ts";
import { isLeased } from "../tasks/move.ts";
import { refuseDenied } from "../tasks/events.ts";
import type { Fence, SignOfLife } from "./fence.ts";
import type { AgentStore, StoredAgent, SwarmAgent } from "./port/agent.ts";

export interface AgentsOptions {
  readonly store: AgentStore;
  readonly tasks: TaskStore;
  readonly audit: Audit;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly log: Log;
  readonly fence: Fence;
  readonly newId: (prefix: string) => string;
  readonly newToken: () => string;
  /** Prolongs a lease; false when it is over. */
  readonly renew: (taskId: string, epoch: number) => Promise<boolean>;
  readonly countSession: (taskId: string, holder: Holder) => Promise<unknown>;
  /** Takes back what an agent that has ended still holds. */
  readonly takeBack: (task: StoredTask, why: string) => Promise<unknown>;
}

export interface AgentWish {
  readonly actor: string;
  readonly cwd: string;
  readonly agent_id?: string | undefined;
  readonly kind?: AgentKind | undefined;
  readonly role?: string | undefined;
  readonly model?: string | undefined;
  readonly program?: string | undefined;
  readonly worktree?: string | undefined;
  readonly task_id?: string | undefined;
  readonly process?: OwnerProcess | null | undefined;
}

const maxKnown = 10_000;

/** Who works on tasks and is no person: registered with a token of its own, heard of, and ended. */
export class Agents {
  readonly #options: AgentsOptions;

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  /** Has the fence know every agent there is, with the lease it was given last. Called once, before anything else. */
  async load(): Promise<void> {
    const { store, tasks, fence } = this.#options;
    for (const agent of (await store.list({ limit: maxKnown })).reverse()) {
      fence.noteAgent(agent);
      const task = agent.task_id === null ? null : await tasks.find(agent.task_id);
      if (task !== null && agent.epoch !== null) fence.noteLease(agent.agent_id, task, agent.epoch);
    }
  }

  async find(agentId: string): Promise<StoredAgent> {
    const found = await this.#options.store.find(agentId);
    if (found === null) throw new SwarmError("SWARM_AGENT_UNKNOWN", { agent: agentId });
    return found;
  }

  list(query: Page & { readonly status?: string | undefined }): Promise<StoredAgent[]> {
    return this.#options.store.list(query);
  }

  /** Hooks of `agent.spawned` are asked before; a refusal leaves nothing behind. The token is given out this once. */
  async register(wish: AgentWish): Promise<{ readonly agent: StoredAgent; readonly token: string }> {
    const { store, audit, fence, newId, newToken, tasks } = this.#options;
    const agent_id = wish.agent_id ?? newId("agent");
    if ((await store.find(agent_id)) !== null)
      throw new SwarmError("SWARM_AGENT_EXISTS", { agent: agent_id });
    const task_id = wish.task_id ?? null;
    if (task_id !== null && (await tasks.find(task_id)) === null)
      throw new SwarmError("SWARM_TASK_UNKNOWN", { task: task_id });
    const token = newToken();
    const now = this.#now();
    const agent: SwarmAgent = {
      agent_id,
      kind: wish.kind ?? "worker",
      role: wish.role ?? null,
      model: wish.model ?? null,
      program: wish.program ?? null,
      worktree: wish.worktree ?? null,
      cwd: wish.cwd,
      status: "running",
      revision: 1,
      token_hash: hash("sha256", token, "hex"),
      process: wish.process ?? null,
      task_id,
      epoch: null,
      session_id: null,
      progress: null,
      reason: null,
      spawned_at: now,
      spawned_by: wish.actor,
      last_activity_at: now,
      ended_at: null,
    };
    const outcome = await this.#options.emit({ event: "agent.spawned", ...eventOf(agent, wish.actor) });
    refuseDenied(outcome, `agent ${agent_id}`);
    await audit.record(this.#row(agent, wish.actor, `register ${agent_id}: running`), {
      kind: "agent_added",
      agent,
    });
    fence.noteAgent(agent);
    return { agent: await this.find(agent_id), token };
  }

  /** A sign of life with what it is doing; its lease is renewed with it. */
  async heartbeat(agentId: string, progress: string | null): Promise<StoredAgent> {
    const agent = await this.#running(agentId);
    const { task_id, epoch } = agent;
    await this.alive({ agent_id: agentId, session: null, task_id, epoch });
    const { log, emit } = this.#options;
    const { data, ...from } = eventOf(agent, `agent:${agentId}`);
    const told = { ...data, ...(progress !== null && { progress }) };
    await tellOrLog(log, () => emit({ event: "agent.heartbeat", data: told, ...from }));
    return this.find(agentId);
  }

  /** Keeps that something was heard of an agent; a session that is new counts for its task. */
  async alive({ agent_id, session, task_id, epoch }: SignOfLife, isNewSession = false): Promise<void> {
    const { store, renew, countSession } = this.#options;
    await store.touch(agent_id, session, this.#now());
    if (task_id === null || epoch === null) return;
    const isHeld = await renew(task_id, epoch);
    if (isNewSession && isHeld) await countSession(task_id, { actor: `agent:${agent_id}`, epoch });
  }

  async complete(agentId: string, summary: string): Promise<StoredAgent> {
    const actor = `agent:${agentId}`;
    const agent = await this.#end(agentId, "completed", actor, summary);
    const { data, ...from } = eventOf(agent, actor);
    const duration_s = (Date.parse(agent.ended_at ?? "") - Date.parse(agent.spawned_at)) / 1_000;
    const told = { ...data, summary, duration_s };
    await tellOrLog(this.#options.log, () =>
      this.#options.emit({ event: "agent.completed", data: told, ...from }),
    );
    return agent;
  }

  /** Its token is worth nothing from now on, its next tool call is denied, and its task goes back. */
  async kill(agentId: string, actor: string, reason: string): Promise<StoredAgent> {
    const agent = await this.#end(agentId, "killed", actor, reason);
    const { data, ...from } = eventOf(agent, actor);
    const told = { ...data, reason };
    await tellOrLog(this.#options.log, () =>
      this.#options.emit({ event: "agent.killed", data: told, ...from }),
    );
    return agent;
  }

  /** Nothing was heard of who held the task while its lease lasted. */
  async stalled(holder: StoredTask): Promise<void> {
    const id = holder.owner?.startsWith("agent:") === true ? holder.owner.slice("agent:".length) : null;
    const agent = id === null ? null : await this.#options.store.find(id);
    if (agent === null) return;
    const silent_s = Math.max(0, this.#options.clock.now() - Date.parse(agent.last_activity_at)) / 1_000;
    const { data, ...from } = eventOf({ ...agent, task_id: holder.task_id }, "swarm");
    const told = { ...data, reason: "its lease ended without a sign of life", silent_s };
    await tellOrLog(this.#options.log, () =>
      this.#options.emit({ event: "agent.stalled", data: told, ...from }),
    );
  }

  async #end(
    agentId: string,
    status: "completed" | "killed",
    actor: string,
    reason: string,
  ): Promise<StoredAgent> {
    const { audit, fence, tasks, takeBack } = this.#options;
    const before = await this.#running(agentId);
    const ended_at = this.#now();
    const agent = { ...before, status, reason, ended_at, revision: before.revision + 1 };
    const row = this.#row(
      agent,
      actor,
      `${status === "killed" ? "kill" : "complete"} ${agentId}: running → ${status}`,
    );
    await audit.record(row, { kind: "agent_saved", agent });
    fence.noteAgent(agent);
    for (const task of await tasks.list({ owner: `agent:${agentId}`, limit: maxKnown }))
      if (isLeased(task)) await takeBack(task, `agent ${agentId} is ${status} without a report: ${reason}`);
    return this.find(agentId);
  }

  async #running(agentId: string): Promise<StoredAgent> {
    const found = await this.find(agentId);
    if (found.status === "running") return found;
    throw new SwarmError("SWARM_AGENT_ENDED", { agent: agentId, status: found.status });
  }

  #row({ agent_id, cwd, task_id }: SwarmAgent, actor: string, reason: string) {
    const named = { ref: `agent:${agent_id}`, agent: agent_id, task: task_id, cwd, source: "swarm" };
    return { kind: "change", event: "agent.changed", actor, reason, ...named } as const;
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

function eventOf(agent: SwarmAgent, actor: string) {
  const { agent_id, task_id, session_id, role, model, worktree, cwd } = agent;
  const data = {
    agent_id,
    ...(session_id !== null && { session_id }),
    ...(task_id !== null && { task_id }),
    ...(role !== null && { role }),
    ...(model !== null && { model }),
    ...(worktree !== null && { worktree }),
  };
  const origin = { source: "swarm", agent: agent_id, cwd, ...(task_id !== null && { task: task_id }) };
  return { data, origin, actor };
}
