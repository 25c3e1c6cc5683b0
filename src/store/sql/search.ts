/**
 * Searches of the record, newest first. Each walks an index over columns of the rows themselves, so that what it costs does not
 * grow with the record, and nothing beside the rows decides what is found.
 *
 * Event, kind and verdict are words of fixed lists, so there are few groups of rows with the same three: whichever of them are
 * asked for, the newest of every group that fits are what a page is made of.
 */
const groups = <Rows extends string>(rows: Rows) =>
  `
    with recursive g (event, kind, verdict) as (
      select event, kind, verdict from run_events
      where seq = (select seq from ${rows} true order by event, kind, verdict limit 1)
      union all
      select n.event, n.kind, n.verdict from g join run_events as n on n.seq = coalesce(
        (select seq from ${rows} event = g.event and kind = g.kind and verdict > g.verdict order by verdict limit 1),
        (select seq from ${rows} event = g.event and kind > g.kind order by kind, verdict limit 1),
        (select seq from ${rows} event > g.event order by event, kind, verdict limit 1)
      )
    )` as const;
const groupFits = `
      (cast(:event as text) is null or g.event = :event)
        and (cast(:kind as text) is null or g.kind = :kind)
        and (cast(:verdict as text) is null or g.verdict = :verdict)`;
const ofGroup = `event = g.event and kind = g.kind and verdict = g.verdict`;
const inRange = `seq < :before_seq and seq >= :from_seq and (cast(:since as text) is null or time >= :since)`;
const hasHook = `(cast(:hook_id as text) is null or exists (
          select 1 from hook_runs where hook_id = :hook_id and hook_runs.seq = run_events.seq
        ))`;

/** The newest of what `rows` come to, which are those of each group. */
const newestOf = <Rows extends string>(rows: Rows) =>
  `${groups(rows)},
    found (seq) as (
      select e.seq from g join run_events as e on e.seq in (
        select seq from ${rows} ${ofGroup} and ${inRange} and ${hasHook}
        order by seq desc
        limit :limit
      )
      where ${groupFits}
      order by e.seq desc
      limit :limit
    )
    select * from run_events where seq in (select seq from found) order by seq desc` as const;

export const searchStatements = {
  newest: `select * from run_events where ${inRange} order by seq desc limit :limit`,
  ofGroups: newestOf("run_events where"),
  ofSession: newestOf("run_events where session = :session and"),
  /** How many rows are in these groups, up to the limit. */
  countOfGroups: `${groups("run_events where")}
    select count(*) as count from (
      select 1 from g join run_events as e on e.seq in (
        select seq from run_events where ${ofGroup} and seq < :before_seq and seq >= :from_seq limit :limit
      )
      where ${groupFits}
      limit :limit
    ) as counted`,
  /** Of a hook's rows those from one on that fit; how many are looked at is the caller's to bound. */
  ofHook: `
    select e.* from hook_runs as h join run_events as e on e.seq = h.seq
    where h.hook_id = :hook_id and h.seq < :before_seq and h.seq >= :from_seq
      and (cast(:since as text) is null or e.time >= :since)
      and (cast(:event as text) is null or e.event = :event)
      and (cast(:kind as text) is null or e.kind = :kind)
      and (cast(:verdict as text) is null or e.verdict = :verdict)
    order by h.seq desc
    limit :limit`,
  /** The oldest of so many rows of a hook; null when it has none. */
  hookStep: `
    select min(seq) as seq from (
      select seq from hook_runs where hook_id = :hook_id and seq < :before_seq order by seq desc limit :count
    ) as step`,
  /**
   * The oldest row from a time on. Clocks are set back, so times do not follow the order of rows: they are looked up by blocks of
   * rows, of which each has its newest.
   */
  firstSince: `
    with recursive blocks (block) as (
      select 0
      union all
      select block + 1 from blocks where block < (select max(seq) from run_events) / 4096
    )
    select min(seq) as seq from run_events
    where seq / 4096 = (
      select min(block) from blocks where (select max(time) from run_events where seq / 4096 = block) >= :since
    ) and time >= :since`,
} as const;
