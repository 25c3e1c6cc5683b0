/**
 * What can be claimed. Of two tasks of the same priority the one that has been ready for longer goes first: one that came
 * back after a pause does not keep the others waiting.
 */
const isReady = `
  state = 'open' and unmet = 0 and ready_at <= :now and (reserved_until is null or reserved_until <= :now)`;
const inOrder = `order by priority, ready_at, seq`;

/** Those of a role and those of any, each found by an index that has them in order. */
const readyForRole = `
  select * from (
    select * from (select * from tasks where ${isReady} and role = :role ${inOrder} limit :limit) as own
    union all
    select * from (select * from tasks where ${isReady} and role = '' ${inOrder} limit :limit) as anybodys
  ) as candidates
  ${inOrder} limit :limit`;

/** Tasks and what they wait for. */
export const taskStatements = {
  insertTask: `
    insert into tasks (task_id, parent, role, priority, state, revision, epoch, owner, lease_until, ready_at, retry_at,
      unmet, reservation, reserved_until, details)
    values (:task_id, :parent, :role, :priority, :state, :revision, :epoch, :owner, :lease_until, :ready_at, :retry_at,
      0, null, null, :details)
    on conflict (task_id) do nothing`,
  /** Nobody may have changed it since it was read. Whoever had set it aside has it now, or has lost it. */
  saveTask: `
    update tasks set parent = :parent, role = :role, priority = :priority, state = :state, revision = :revision,
      epoch = :epoch, owner = :owner, lease_until = :lease_until, ready_at = :ready_at, retry_at = :retry_at,
      reservation = null, reserved_until = null, details = :details
    where task_id = :task_id and revision = :revision - 1`,
  forgetDependencies: `delete from task_dependencies where task_id = :task_id`,
  insertDependency: `
    insert into task_dependencies (task_id, depends_on) values (:task_id, :depends_on) on conflict do nothing`,
  countUnmet: `
    update tasks set unmet = (
      select count(*) from task_dependencies join tasks as needed on needed.task_id = task_dependencies.depends_on
      where task_dependencies.task_id = tasks.task_id and needed.state <> 'landed'
    )
    where task_id = :task_id`,
  countUnmetOfDependents: `
    update tasks set unmet = (
      select count(*) from task_dependencies join tasks as needed on needed.task_id = task_dependencies.depends_on
      where task_dependencies.task_id = tasks.task_id and needed.state <> 'landed'
    )
    where task_id in (select task_id from task_dependencies where depends_on = :task_id)`,

  findTask: `select * from tasks where task_id = :task_id`,
  listTasks: `
    select * from tasks
    where seq < :before_seq and (cast(:state as text) is null or state = :state)
      and (cast(:role as text) is null or role = :role) and (cast(:parent as text) is null or parent = :parent)
      and (cast(:owner as text) is null or owner = :owner)
    order by seq desc limit :limit`,
  descendants: `
    with recursive below (task_id) as (
      select task_id from tasks where parent = :task_id
      union
      select tasks.task_id from tasks join below on tasks.parent = below.task_id
    )
    select tasks.* from tasks join below using (task_id) order by seq limit :limit`,
  unmetOf: `
    select needed.* from task_dependencies join tasks as needed on needed.task_id = task_dependencies.depends_on
    where task_dependencies.task_id = :task_id and needed.state <> 'landed'
    order by needed.seq`,
  dependenciesOf: `
    with recursive reached (task_id) as (
      select cast(:task_id as text)
      union
      select depends_on from task_dependencies join reached using (task_id)
    )
    select task_dependencies.task_id, depends_on from task_dependencies join reached using (task_id)`,
  dependentsOf: `
    select tasks.* from task_dependencies join tasks using (task_id) where depends_on = :task_id order by seq`,
  /** Only who has a lease has a time it ends, and only what is to be retried has a time for that. */
  held: `select * from tasks where lease_until is not null order by lease_until limit :limit`,
  due: `
    select * from (select * from tasks where lease_until <= :by order by lease_until limit :limit) as over
    union all
    select * from (select * from tasks where retry_at <= :by order by retry_at limit :limit) as waiting
    limit :limit`,
  countStates: `select state, count(*) as tasks from tasks group by state`,

  readyForAny: `select * from tasks where ${isReady} ${inOrder} limit :limit`,
  readyForRole,
  /**
   * One statement each, so that nobody comes between the choice and the reservation. Where two transactions can have
   * chosen the same row, the second finds it reserved, changes nothing and has to ask again.
   */
  reserveForAny: `
    update tasks set reservation = :reservation, reserved_until = :until
    where task_id = (select task_id from tasks where ${isReady} ${inOrder} limit 1) and ${isReady}
    returning *`,
  reserveForRole: `
    update tasks set reservation = :reservation, reserved_until = :until
    where task_id = (select task_id from (${readyForRole}) as next) and ${isReady}
    returning *`,
  reserveTask: `
    update tasks set reservation = :reservation, reserved_until = :until
    where task_id = :task_id and ${isReady}
    returning *`,
  unreserve: `
    update tasks set reservation = null, reserved_until = null
    where task_id = :task_id and reservation = :reservation`,
  renew: `
    update tasks set lease_until = :until
    where task_id = :task_id and epoch = :epoch and state in ('claimed', 'working') and lease_until < :until`,
  isHeldAt: `
    select 1 as is_held from tasks
    where task_id = :task_id and epoch = :epoch and state in ('claimed', 'working')`,
} as const;
