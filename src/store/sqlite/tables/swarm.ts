export const swarmTables = `
-- What statements do not ask for is one value, so that a new field is no new column. A role of '' is any.
create table tasks (
  seq integer primary key autoincrement,
  task_id text not null unique,
  parent text references tasks (task_id) deferrable initially deferred,
  role text not null,
  priority integer not null,
  state text not null,
  revision integer not null,
  epoch integer not null,
  owner text,
  lease_until text,
  ready_at text not null,
  retry_at text,
  unmet integer not null,
  reservation text,
  reserved_until text,
  details text not null
) strict;
create index tasks_by_parent on tasks (parent) where parent is not null;
-- The order in which they are claimed. Not for open ones only: SQLite would rather sort all that are open.
create index tasks_by_state on tasks (state, unmet, priority, ready_at, seq);
create index tasks_by_role on tasks (state, unmet, role, priority, ready_at, seq);
create index tasks_leased on tasks (lease_until) where lease_until is not null;
create index tasks_to_retry on tasks (retry_at) where retry_at is not null;

-- Who works on tasks; token_hash is all that is kept of a token.
create table agents (
  seq integer primary key autoincrement,
  agent_id text not null unique,
  status text not null,
  token_hash text not null unique,
  revision integer not null,
  task_id text,
  epoch integer,
  session_id text,
  last_activity_at text not null,
  details text not null
) strict;

create table task_dependencies (
  task_id text not null references tasks (task_id) deferrable initially deferred,
  depends_on text not null references tasks (task_id) deferrable initially deferred,
  primary key (task_id, depends_on)
) strict, without rowid;
create index task_dependencies_by_needed on task_dependencies (depends_on);
`;
