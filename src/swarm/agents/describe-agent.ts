import { closed } from "../../daemon/rest/schemas.ts";
import { count, string, stringOrNull, time, timeOrNull } from "../../daemon/rest/shapes.ts";
import { agentKinds } from "../../daemon/access/port/token-store.ts";
import { agentStatuses, type StoredAgent } from "./port/agent.ts";

/** Without what its token could be guessed by, or what only this machine needs. */
export function describeAgent(agent: StoredAgent) {
  const { seq: _seq, token_hash: _hash, process: _process, revision: _revision, ...shown } = agent;
  return shown;
}

const shown = {
  agent_id: string,
  kind: { enum: agentKinds },
  role: stringOrNull,
  model: stringOrNull,
  program: stringOrNull,
  worktree: stringOrNull,
  cwd: string,
  status: { enum: agentStatuses },
  task_id: stringOrNull,
  epoch: { anyOf: [count, { type: "null" }], description: "Of the lease it was given last." },
  session_id: stringOrNull,
  progress: stringOrNull,
  reason: stringOrNull,
  spawned_at: time,
  spawned_by: string,
  last_activity_at: time,
  ended_at: timeOrNull,
};

export const agentSchema = closed(shown);

export const registeredSchema = closed({
  agent: agentSchema,
  token: { ...string, description: "Its identity, shown this once: `SWARM_AGENT_TOKEN` of its environment." },
});
