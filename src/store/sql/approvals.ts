export const approvalStatements = {
  insert: `
    insert into approvals (
      id, digest, status, event, kind, name, rule, reason, subject, session, agent, task, cwd, source,
      requested_by, requested_at, expires_at, intent_id
    ) values (
      :id, :digest, 'pending', :event, :kind, :name, :rule, :reason, :subject, :session, :agent, :task, :cwd, :source,
      :requested_by, :requested_at, :expires_at, :intent_id
    )
    on conflict (digest) where status = 'pending' do nothing`,
  decide: `
    update approvals set status = :status, decided_at = :time, decided_by = :by, comment = :comment,
      expires_at = :expires_at, signature = :signature
    where id = :id and status = 'pending'`,
  use: `update approvals set status = 'used', used_at = :time where id = :id and status = 'approved' and expires_at > :time`,
  find: `select * from approvals where id = :id`,
  findInForce: `
    select * from approvals
    where digest = :digest and status in ('pending', 'approved', 'denied') and expires_at > :now
    order by seq desc limit 1`,
  findLatest: `select * from approvals where digest = :digest order by seq desc limit 1`,
  list: `
    select * from approvals where seq < :before_seq order by seq desc limit :limit`,
  listOfStatus: `
    select * from approvals
    where status = :status and seq < :before_seq order by seq desc limit :limit`,
  ofTask: `select * from approvals where task = :task order by seq`,
  lapsed: `select * from approvals where status = 'pending' and expires_at <= :now order by seq limit 100`,
  nextLapse: `select min(expires_at) as expires_at from approvals where status = 'pending'`,
  findUse: `select seq from run_events where ref = :intent_id and event = 'approval.used' limit 1`,
} as const;
