export const daemonTables = `
create table hook_switches (
  hook_id text primary key,
  is_enabled integer not null,
  time text not null,
  actor text not null
) strict, without rowid;

-- Who may call the daemon, besides its owner. Only hashes: whoever reads this file cannot call with it.
create table tokens (
  name text primary key,
  role text not null,
  token_hash text not null unique,
  created_at text not null,
  created_by text not null,
  revoked_at text
) strict;

-- Flags somebody has set, over whatever files and the environment say; earlier values are in the record.
create table flags (
  name text primary key,
  is_on integer not null check (is_on in (0, 1)),
  time text not null,
  actor text not null
) strict, without rowid;
`;
