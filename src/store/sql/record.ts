/** Of a payload's row: whether the time it is kept for is over. Those that signatures are checked by are kept for ever. */
const mayExpire = `exists (
      select 1 from run_events as e
      where e.seq = payloads.seq and e.time < :older_than
        and e.event not in ('approver.added', 'approver.removed', 'approver.required')
        and not (e.event = 'approval.requested' and e.kind = 'outcome' and e.after_hash is not null)
    )`;

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
    select e.* from open_intents as o join run_events as e on e.seq = o.seq
    order by o.seq desc limit :limit`,
  openIntent: `insert into open_intents (seq, id) values (:seq, :id)`,
  closeIntent: `delete from open_intents where id = :id`,

  findPayload: `select before, after from payloads where seq = :seq`,
  readPayloads: `select seq, before, after from payloads where seq > :after_seq order by seq limit :limit`,
  /** Blocks of 4,096 rows some of which are older; the last one is still being filled. */
  olderBlocks: `
    with recursive blocks (block) as (
      select 0
      union all
      select block + 1 from blocks where block < (select max(seq) from run_events) / 4096
    )
    select block from blocks where (select min(time) from run_events where seq / 4096 = block) < :older_than`,
  countExpiring: `
    select count(*) as count from payloads
    where seq >= :block * 4096 and seq < (:block + 1) * 4096 and ${mayExpire}`,
  expirePayloads: `
    delete from payloads
    where seq >= :block * 4096 and seq < (:block + 1) * 4096 and ${mayExpire}`,

  listSessions: `
    select session, started_at, last_at, last_seq, events, denials, agent, source, cwd from sessions
    where last_seq < :before_seq
    order by last_seq desc
    limit :limit`,
  /** What the rows of one transaction add to a session. */
  addToSession: `
    insert into sessions (session, started_at, last_at, last_seq, events, denials, agent, source, cwd)
    values (:session, :started_at, :last_at, :last_seq, :events, :denials, :agent, :source, :cwd)
    on conflict (session) do update set
      started_at = case when excluded.started_at < sessions.started_at then excluded.started_at else sessions.started_at end,
      last_at = case when excluded.last_at > sessions.last_at then excluded.last_at else sessions.last_at end,
      last_seq = excluded.last_seq,
      events = sessions.events + excluded.events,
      denials = sessions.denials + excluded.denials,
      agent = coalesce(excluded.agent, sessions.agent),
      source = coalesce(excluded.source, sessions.source),
      cwd = coalesce(excluded.cwd, sessions.cwd)`,
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
