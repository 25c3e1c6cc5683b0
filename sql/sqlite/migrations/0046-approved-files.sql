-- Files that run code when they are loaded, by their bytes; what was taken back is in the record.
create table approved_files (
  sha256 text primary key,
  path text not null,
  bytes integer not null,
  time text not null,
  actor text not null
) strict, without rowid
