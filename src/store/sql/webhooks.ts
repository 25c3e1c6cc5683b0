/** Messages on their way out. Without those that are given a list of targets: each dialect reads a list in its own way. */
export const outboxStatements = {
  insert: `
    insert into deliveries (id, event, event_id, hook_id, hook, target, cwd, body, created_at_ms, state, attempts, retries)
    values (:id, :event, :event_id, :hook_id, :hook, :target, :cwd, :body, :created_at_ms, 'pending', 0, 0)`,
  claimTargets: `
    update delivery_targets set owner = :owner, lease_until_ms = :lease_until_ms
    where target in (
      select target from delivery_targets
      where next_at_ms <= :now_ms and lease_until_ms <= :now_ms
      order by next_at_ms
      limit :limit
    )
    returning target, failures`,
  releaseTargets: `update delivery_targets set owner = null, lease_until_ms = 0 where owner = :owner`,
  isTargetOwned: `select 1 as is_owned from delivery_targets where target = :target and owner = :owner`,
  nextDue: `
    select min(case when next_at_ms > lease_until_ms then next_at_ms else lease_until_ms end) as next_at_ms
    from delivery_targets where next_at_ms is not null`,
  /** Newest first. */
  list: `select * from deliveries where seq < :before_seq order by seq desc limit :limit`,
  listOfState: `
    select * from deliveries where state = :state and seq < :before_seq order by seq desc limit :limit`,
  /** Of one state, or the newest of each of the three. */
  listOfHook: `
    with states (state) as (select 'pending' union all select 'delivered' union all select 'dead'),
    found (seq) as (
      select d.seq from states as s join deliveries as d on d.seq in (
        select seq from deliveries
        where hook_id = :hook_id and state = s.state and seq < :before_seq
        order by seq desc
        limit :limit
      )
      where cast(:state as text) is null or s.state = :state
      order by d.seq desc
      limit :limit
    )
    select * from deliveries where seq in (select seq from found) order by seq desc`,
  find: `select * from deliveries where id = :id`,
  listTargets: `
    select target, failures, next_at_ms, last_error,
      (select hook from deliveries as d where d.target = t.target and state = 'pending' order by seq limit 1) as hook
    from delivery_targets as t order by target`,
  /** Of each at most as many as the limit says: what a backlog costs to count would grow with it. */
  totals: `
    select
      (select count(*) from (select 1 from deliveries where state = 'pending' limit :limit) as waiting) as pending,
      (select count(*) from (
        select 1 from deliveries where state = 'dead' and ended_at_ms is not null limit :limit
      ) as lost) as dead,
      (select count(*) from delivery_targets where failures > 0 and next_at_ms is not null) as open_targets`,
  settle: `
    update deliveries
    set state = :state, attempts = :attempts, retries = :retries, last_status = :last_status,
      last_error = :last_error, ended_at_ms = :ended_at_ms
    where seq = :seq and state = 'pending'`,
  /** They keep their place in the order of all deliveries. */
  move: `
    update deliveries set target = :to
    where target = :from and state = 'pending' and hook_id = :hook_id and cwd is not distinct from :cwd`,
  /** After its deliveries are settled: with none left it waits for nothing. */
  settleTarget: `
    update delivery_targets
    set failures = :failures,
      last_error = :last_error,
      next_at_ms = case
        when exists (select 1 from deliveries where target = :target and state = 'pending')
        then cast(:next_at_ms as bigint)
      end,
      owner = null,
      lease_until_ms = 0
    where target = :target`,
  /** As if it were new: its age counts from now on. What it is called stays. */
  replay: `
    update deliveries
    set state = 'pending', attempts = 0, retries = 0, last_status = null, last_error = null, ended_at_ms = null,
      created_at_ms = :now_ms
    where id = :id and state <> 'pending'
    returning target`,
  expire: `
    delete from deliveries
    where state in ('delivered', 'dead') and ended_at_ms is not null and ended_at_ms < :ended_before_ms`,
} as const;

/** Ids of messages that were taken in. */
export const inboundStatements = {
  insert: `
    insert into inbound_messages (source, id, received_at_ms) values (:source, :id, :received_at_ms)
    on conflict (source, id) do nothing`,
  find: `select 1 as is_known from inbound_messages where source = :source and id = :id`,
  expire: `delete from inbound_messages where received_at_ms < :received_before_ms`,
} as const;
