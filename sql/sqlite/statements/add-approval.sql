insert into approvals (
  id, digest, status, event, kind, name, rule, reason, subject, session, agent, task, cwd, source,
  requested_by, requested_at, expires_at, intent_id
) values (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (digest) where status = 'pending' do nothing
