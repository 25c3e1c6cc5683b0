-- Flags somebody has set, over whatever files and the environment say; earlier values are in the record.
create table flags (
  name text primary key,
  is_on integer not null check (is_on in (0, 1)),
  time text not null,
  actor text not null
) strict, without rowid
