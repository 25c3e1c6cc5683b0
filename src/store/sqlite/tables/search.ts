/** What searches of the record are made by; a version of its own. */
export const searchTables = `
drop index run_events_by_session;
drop index run_events_intents;
create index run_events_by_group on run_events (event, kind, verdict);
create index run_events_by_session on run_events (session, event, kind, verdict) where session is not null;
-- The times of each block of rows in their order; seq is the row's own number.
create index run_events_by_time on run_events (seq / 4096, time);

-- One row per session, brought up to date with its rows: to sum them up when somebody asks would read all of them.
create table sessions (
  session text primary key,
  started_at text not null,
  last_at text not null,
  last_seq integer not null,
  events integer not null,
  denials integer not null,
  agent text,
  source text,
  cwd text
) strict, without rowid;
create index sessions_by_last on sessions (last_seq);
insert into sessions (session, started_at, last_at, last_seq, events, denials, agent, source, cwd)
select session, min(time), max(time), max(seq), count(*), count(*) filter (where verdict = 'deny'), max(agent), max(source), max(cwd)
from run_events where session is not null group by session;

-- Intents whose outcome is not in the record yet.
create table open_intents (
  seq integer primary key,
  id text not null unique
) strict;
insert into open_intents (seq, id)
select seq, id from run_events i
where kind = 'intent' and not exists (select 1 from run_events o where o.ref = i.id and o.kind = 'outcome');

create index approvals_by_status on approvals (status, seq);
create index approvals_by_task on approvals (task, seq) where task is not null;
create index approvals_by_signature on approvals (signature ->> '$.key_id', decided_at)
  where signature is not null and json_valid(signature);
-- What waits for one target; by the state alone it would be looked for among all that wait.
drop index deliveries_pending;
create index deliveries_pending on deliveries (state, target, seq) where state = 'pending';
create index deliveries_by_state on deliveries (state, seq);
create index deliveries_by_hook on deliveries (hook_id, state, seq);
create index inbound_messages_by_time on inbound_messages (received_at_ms);
create index cron_runs_begun on cron_runs (seq) where ended_at is null and status <> 'queued';
create index pipeline_runs_by_pipeline on pipeline_runs (pipeline, seq);
create index pipeline_runs_open on pipeline_runs (seq) where status = 'running';
`;
