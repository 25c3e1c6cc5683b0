/** Agents of the swarm. What changes without a row of the record, or with a claim, is in columns of its own. */
export const agentStatements = {
  insert: `
    insert into agents (agent_id, status, token_hash, revision, task_id, epoch, session_id, last_activity_at, details)
    values (:agent_id, :status, :token_hash, :revision, :task_id, :epoch, :session_id, :last_activity_at, :details)
    on conflict (agent_id) do nothing`,
  save: `
    update agents set status = :status, revision = :revision, details = :details
    where agent_id = :agent_id and revision = :revision - 1`,
  assign: `update agents set task_id = :task_id, epoch = :epoch where agent_id = :agent_id`,
  touch: `
    update agents set last_activity_at = :time, session_id = coalesce(session_id, :session_id)
    where agent_id = :agent_id`,
  find: `select * from agents where agent_id = :agent_id`,
  list: `
    select * from agents
    where seq < :before_seq and (cast(:status as text) is null or status = :status)
    order by seq desc limit :limit`,
} as const;
