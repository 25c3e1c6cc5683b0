import { idPattern } from "../../../base/ids.ts";
import { integer, oneOf, text } from "../../../engine/events/schema.ts";
import { type AgentKind, agentKinds } from "../../../daemon/access/port/token-store.ts";
import type { Page } from "../../../store/port/store.ts";
import type { OwnerProcess } from "../../tasks/port/task.ts";

const id = { pattern: idPattern, expected: "letters, digits, _ and -, at most 64" };

/** What can be said of an agent that is registered. */
export const agentFields = {
  agent_id: { ...text("Its id; default one that is made."), ...id },
  kind: oneOf(agentKinds, "A worker does one task, a lead also says what becomes of tasks; default worker."),
  role: { ...text("Role of the tasks it works on; default any."), ...id },
  model: text("Model it runs on."),
  program: text("Coding agent it is, such as `codex`."),
  worktree: text("Folder it works in."),
  task_id: { ...text("Task it is started for."), ...id },
  pid: {
    ...integer("Its process, on the daemon's machine: when it ends, so does its lease."),
    min: 1,
    max: 2 ** 31,
  },
};

export const agentStatuses = ["running", "completed", "killed"] as const;

/** Somebody who works on tasks and is no person. Its identity is its token, of which only a hash is kept. */
export interface SwarmAgent {
  readonly agent_id: string;
  readonly kind: AgentKind;
  readonly role: string | null;
  readonly model: string | null;
  readonly program: string | null;
  readonly worktree: string | null;
  readonly cwd: string;
  readonly status: (typeof agentStatuses)[number];
  readonly revision: number;
  /** SHA-256 in hex. */
  readonly token_hash: string;
  readonly process: OwnerProcess | null;
  /** What it claimed last, or is started for. */
  readonly task_id: string | null;
  /** Of that claim; null: it has claimed nothing. */
  readonly epoch: number | null;
  /** Of the coding agent: bound by its first hook event. */
  readonly session_id: string | null;
  readonly progress: string | null;
  readonly reason: string | null;
  readonly spawned_at: string;
  readonly spawned_by: string;
  readonly last_activity_at: string;
  readonly ended_at: string | null;
}

export interface StoredAgent extends SwarmAgent {
  readonly seq: number;
}

/** Throws SWARM_AGENT_EXISTS when there is or was one of this id. */
export interface AgentAdded {
  readonly kind: "agent_added";
  readonly agent: SwarmAgent;
}

/** Must be at the revision before, or SWARM_AGENT_CHANGED is thrown. */
export interface AgentSaved {
  readonly kind: "agent_saved";
  readonly agent: SwarmAgent;
}

/** It has claimed a task. */
export interface AgentAssigned {
  readonly kind: "agent_assigned";
  readonly agent_id: string;
  readonly task_id: string;
  readonly epoch: number;
}

export type AgentChange = AgentAdded | AgentSaved | AgentAssigned;

/** Agents. One suite (`agent-store.cases.ts`) holds for every driver. */
export interface AgentStore {
  find(agentId: string): Promise<StoredAgent | null>;
  /** Newest first. */
  list(query: Page & { readonly status?: string | undefined }): Promise<StoredAgent[]>;
  /** A sign of life and the session it came from; no row tells of it. */
  touch(agentId: string, sessionId: string | null, time: string): Promise<void>;
}
