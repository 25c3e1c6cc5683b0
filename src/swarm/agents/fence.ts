import { hash } from "node:crypto";
import type { AgentIdentity } from "../../daemon/access/port/token-store.ts";
import { whyStale } from "../tasks/move.ts";
import type { Task } from "../tasks/port/task.ts";
import type { SwarmAgent } from "./port/agent.ts";

/** An agent as decisions about its calls need it. */
interface KnownAgent {
  readonly agent_id: string;
  readonly identity: AgentIdentity;
  /** Why it may do nothing more; null: it runs. */
  ended: string | null;
  lease: { readonly task_id: string; readonly epoch: number; stale: string | null } | null;
  /** Not before is its lease renewed again. */
  renewAtMs: number;
}

/** What a call of an agent asks for beside its decision: that its lease is renewed and its activity kept. */
export interface SignOfLife {
  readonly agent_id: string;
  readonly session: string | null;
  readonly task_id: string | null;
  readonly epoch: number | null;
}

/** A lease lasts ten minutes: to renew it every half minute costs a write for hundreds of calls. */
const renewEveryMs = 30_000;
const maxSessions = 50_000;

/**
 * Whether an agent still has the task it works on, asked at every tool call: a lookup of its session, because what was
 * written of tasks is noted when it is written. A session that no token was ever seen of is a person's.
 */
export class Fence {
  readonly #byHash = new Map<string, KnownAgent>();
  readonly #byId = new Map<string, KnownAgent>();
  readonly #byTask = new Map<string, Set<KnownAgent>>();
  readonly #bySession = new Map<string, KnownAgent>();

  /** Why a tool of this session must not run; null: it may. */
  whyDenied(session: string | undefined): string | null {
    if (session === undefined || this.#bySession.size === 0) return null;
    const agent = this.#bySession.get(session);
    if (agent === undefined) return null;
    return agent.ended ?? agent.lease?.stale ?? null;
  }

  /**
   * Binds the session to whose token this is, unless it is somebody's already: what an agent calls itself later changes
   * nothing. True: it is bound now, and was not before.
   */
  bind(session: string | undefined, token: string | undefined): boolean {
    if (session === undefined || token === undefined || this.#bySession.has(session)) return false;
    const agent = this.#byHash.get(hash("sha256", token, "hex"));
    if (agent === undefined) return false;
    if (this.#bySession.size >= maxSessions) {
      const [oldest] = this.#bySession.keys();
      if (oldest !== undefined) this.#bySession.delete(oldest);
    }
    this.#bySession.set(session, agent);
    agent.renewAtMs = 0;
    return true;
  }

  /** Id of the running agent whose session this is; null: a person's. */
  agentOf(session: string | undefined): string | null {
    const agent = session === undefined ? undefined : this.#bySession.get(session);
    return agent === undefined || agent.ended !== null ? null : agent.agent_id;
  }

  /** What is to be kept of an event of this session; null: nothing now. */
  signOfLife(session: string | undefined, nowMs: number): SignOfLife | null {
    const agent = session === undefined ? undefined : this.#bySession.get(session);
    if (agent === undefined || agent.ended !== null || nowMs < agent.renewAtMs) return null;
    agent.renewAtMs = nowMs + renewEveryMs;
    const { agent_id, lease } = agent;
    const held = lease === null || lease.stale !== null ? null : lease;
    return { agent_id, session: session ?? null, task_id: held?.task_id ?? null, epoch: held?.epoch ?? null };
  }

  /** Whom a token stands for; null: for no agent that runs. */
  identify(tokenHash: string): AgentIdentity | null {
    const agent = this.#byHash.get(tokenHash);
    return agent === undefined || agent.ended !== null ? null : agent.identity;
  }

  noteAgent(agent: SwarmAgent): void {
    const { agent_id, kind, role, status, reason, token_hash, session_id } = agent;
    const known = this.#byId.get(agent_id) ?? {
      agent_id,
      identity: { agent_id, role, kind },
      ended: null,
      lease: null,
      renewAtMs: 0,
    };
    known.ended =
      status === "running" ? null : `agent ${agent_id} is ${status}${reason === null ? "" : `: ${reason}`}`;
    this.#byId.set(agent_id, known);
    this.#byHash.set(token_hash, known);
    if (session_id !== null) this.#bySession.set(session_id, known);
  }

  /** The lease an agent was given last. */
  noteLease(agentId: string, task: Task, epoch: number): void {
    const agent = this.#byId.get(agentId);
    if (agent === undefined) return;
    const { task_id } = task;
    if (agent.lease !== null) this.#byTask.get(agent.lease.task_id)?.delete(agent);
    agent.lease = { task_id, epoch, stale: whyStale(task, epoch) };
    const others = this.#byTask.get(task_id);
    if (others === undefined) this.#byTask.set(task_id, new Set([agent]));
    else others.add(agent);
  }

  /** What a task has become. Only a claim that its agent was told of gives it the lease. */
  noteTask(task: Task, isClaimed: boolean): void {
    const { task_id, owner, epoch } = task;
    if (isClaimed && owner?.startsWith("agent:") === true)
      this.noteLease(owner.slice("agent:".length), task, epoch);
    for (const { lease } of this.#byTask.get(task_id) ?? [])
      if (lease?.task_id === task_id) lease.stale = whyStale(task, lease.epoch);
  }
}
