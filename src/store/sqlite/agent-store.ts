import { SwarmError } from "../../base/errors.ts";
import type { AgentChange, AgentStore, StoredAgent, SwarmAgent } from "../../swarm/agents/port/agent.ts";
import type { ChangeWriters, Page } from "../port/store.ts";
import { agentStatements } from "../sql/agents.ts";
import type { Statements } from "../sql/statement.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Agents in the store's file. */
export class SqliteAgentStore implements AgentStore {
  readonly changes: ChangeWriters<AgentChange> = {
    agent_added: ({ agent }) => {
      if (this.#sql.insert.run(columnsOf(agent)) === 0)
        throw new SwarmError("SWARM_AGENT_EXISTS", { agent: agent.agent_id });
    },
    agent_saved: ({ agent }) => {
      if (this.#sql.save.run(columnsOf(agent)) === 0)
        throw new SwarmError("SWARM_AGENT_CHANGED", { agent: agent.agent_id });
    },
    agent_assigned: (change) => void this.#sql.assign.run(change),
  };
  readonly #sql: Statements<typeof agentStatements>;

  constructor(file: SqliteFile) {
    this.#sql = file.statements(agentStatements);
  }

  async find(agentId: string): Promise<StoredAgent | null> {
    const row = this.#sql.find.one<AgentRow>({ agent_id: agentId });
    return row === null ? null : agentOf(row);
  }

  async list(query: Page & { readonly status?: string | undefined }): Promise<StoredAgent[]> {
    const { limit, beforeSeq: before_seq = Number.MAX_SAFE_INTEGER, status = null } = query;
    return this.#sql.list.all<AgentRow>({ before_seq, status, limit }).map(agentOf);
  }

  async touch(agentId: string, sessionId: string | null, time: string): Promise<void> {
    this.#sql.touch.run({ agent_id: agentId, session_id: sessionId, time });
  }
}

type AgentRow = StoredAgent & { readonly details: string };

function columnsOf(agent: SwarmAgent) {
  const { agent_id, status, token_hash, revision, task_id, epoch, session_id, last_activity_at, ...details } =
    agent;
  const own = { agent_id, status, token_hash, revision, task_id, epoch, session_id, last_activity_at };
  return { ...own, details: JSON.stringify({ ...details, seq: undefined }) };
}

function agentOf({ details, ...row }: AgentRow): StoredAgent {
  return { ...(JSON.parse(details) as StoredAgent), ...row };
}
