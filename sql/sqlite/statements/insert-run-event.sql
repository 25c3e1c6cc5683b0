insert into run_events (
  seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source, verdict, reason, hook, hook_digest,
  before_hash, after_hash, ms, outcome, handlers, prev_hash, hash, seal, state
) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
