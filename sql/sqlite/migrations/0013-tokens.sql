-- Who may call the daemon, besides its owner. Only hashes: whoever reads this file cannot call with it.
create table tokens (
  name text primary key,
  role text not null,
  token_hash text not null unique,
  created_at text not null,
  created_by text not null,
  revoked_at text
) strict
