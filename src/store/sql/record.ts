/** The record: rows, their payloads, the parts hooks had in them, and the head that is signed. */
export const recordStatements = {
  head: `select seq, hash from run_events order by seq desc limit 1`,
  insertRow: `
    insert into run_events (
      seq, id, time, kind, event, ref, actor, session, agent, task, cwd, source, verdict, reason, hook, hook_digest,
      before_hash, after_hash, ms, outcome, handlers, prev_hash, hash, seal, state
    ) values (
      :seq, :id, :time, :kind, :event, :ref, :actor, :session, :agent, :task, :cwd, :source, :verdict, :reason, :hook,
      :hook_digest, :before_hash, :after_hash, :ms, :outcome, :handlers, :prev_hash, :hash, :seal, :state
    )`,
  insertPayload: `insert into payloads (seq, before, after) values (:seq, :before, :after)`,
  /** A hook's second part in one row (registered for it under two names) changes nothing of the first. */
  insertHookRun: `
    insert into hook_runs (hook_id, seq, status, verdict, ms, reason)
    values (:hook_id, :seq, :status, :verdict, :ms, :reason)
    on conflict do nothing`,

  signedHead: `select seq, hash, time, key_id, signature from signed_head`,
  saveSignedHead: `
    insert into signed_head (one, seq, hash, time, key_id, signature) values (1, :seq, :hash, :time, :key_id, :signature)
    on conflict (one) do update set seq = excluded.seq, hash = excluded.hash, time = excluded.time,
      key_id = excluded.key_id, signature = excluded.signature
    where excluded.seq >= signed_head.seq`,
  /** After a person has accepted the record as it is, whatever was signed before. */
  replaceSignedHead: `
    insert into signed_head (one, seq, hash, time, key_id, signature) values (1, :seq, :hash, :time, :key_id, :signature)
    on conflict (one) do update set seq = excluded.seq, hash = excluded.hash, time = excluded.time,
      key_id = excluded.key_id, signature = excluded.signature`,

  /** Newest first. Each filter is off when its value is null. */
  list: `
    select * from run_events
    where seq < :before_seq
      and (cast(:event as text) is null or event = :event)
      and (cast(:kind as text) is null or kind = :kind)
      and (cast(:session as text) is null or session = :session)
      and (cast(:verdict as text) is null or verdict = :verdict)
      and (cast(:since as text) is null or time >= :since)
      and (cast(:hook_id as text) is null or seq in (select seq from hook_runs where hook_id = :hook_id))
    order by seq desc
    limit :limit`,
  /** Oldest first, for followers and for whoever reads the whole record. */
  read: `select * from run_events where seq > :after_seq order by seq limit :limit`,
  find: `select * from run_events where id = :id`,
  /** Newest first: what the record has about one thing. */
  withRef: `select * from run_events where ref = :ref order by seq desc`,
  /** Everything of one kind that something was recorded about: from `token:`, and before `token;`. */
  refsBetween: `select distinct ref from run_events where ref >= :from and ref < :before order by ref`,
  /** The last time a change of this kind was made for an agent. */
  lastChange: `
    select * from run_events where kind = 'change' and event = :event and agent = :agent
    order by seq desc limit 1`,
  approverChanges: `
    select run_events.*, payloads.before as text
    from run_events left join payloads using (seq)
    where run_events.kind = 'change'
      and run_events.event in ('approver.added', 'approver.removed', 'approver.required')
    order by run_events.seq`,
  /** Of the last thousand denials those from a time on: what it costs does not grow with the record. */
  recentDenials: `
    select count(*) as denials
    from (select time from run_events where verdict = 'deny' order by seq desc limit 1000) as newest
    where time >= :since`,
  /** An effect that was announced and never reported: a crash came between. */
  openIntents: `
    select * from run_events i
    where kind = 'intent' and not exists (select 1 from run_events o where o.ref = i.id and o.kind = 'outcome')
    order by seq desc limit :limit`,

  findPayload: `select before, after from payloads where seq = :seq`,
  readPayloads: `select seq, before, after from payloads where seq > :after_seq order by seq limit :limit`,
  countExpiring: `
    select count(*) as count from payloads where seq in (
      select seq from run_events
      where time < :older_than
        and event not in ('approver.added', 'approver.removed', 'approver.required')
        and not (event = 'approval.requested' and kind = 'outcome' and after_hash is not null)
    )`,
  expirePayloads: `
    delete from payloads where seq in (
      select seq from run_events
      where time < :older_than
        and event not in ('approver.added', 'approver.removed', 'approver.required')
        and not (event = 'approval.requested' and kind = 'outcome' and after_hash is not null)
    )`,

  listSessions: `
    select session, min(time) as started_at, max(time) as last_at, max(seq) as last_seq, count(*) as events,
      count(*) filter (where verdict = 'deny') as denials, max(agent) as agent, max(source) as source, max(cwd) as cwd
    from run_events
    where session is not null
    group by session
    having max(seq) < :before_seq
    order by max(seq) desc
    limit :limit`,
  listHookRuns: `
    select h.seq, e.id, e.time, e.event, e.session, h.status, h.verdict, h.ms, h.reason
    from hook_runs h join run_events e on e.seq = h.seq
    where h.hook_id = :hook_id and h.seq < :before_seq
    order by h.seq desc
    limit :limit`,
  /** What became of a hook's last thousand calls, and of the last of them. */
  hookTotals: `
    with calls as (
      select seq, status, verdict, reason from hook_runs where hook_id = :hook_id order by seq desc limit 1000
    )
    select count(*) as calls,
      count(*) filter (where status in ('failed', 'timed_out')) as failures,
      count(*) filter (where verdict = 'deny') as denials,
      (select status from calls limit 1) as last_status,
      (select reason from calls limit 1) as last_reason,
      (select time from run_events where seq = (select seq from calls limit 1)) as last_at
    from calls`,
  listHookSwitches: `select hook_id, is_enabled, time, actor from hook_switches`,
  setHookSwitch: `
    insert into hook_switches (hook_id, is_enabled, time, actor) values (:hook_id, :is_enabled, :time, :actor)
    on conflict (hook_id) do update set is_enabled = excluded.is_enabled, time = excluded.time, actor = excluded.actor`,
} as const;
