-- Which row of the record has made each row that lets something through, with a MAC over both. A row without one is as
-- good as none: `subject` is what `ref` of the record's row says, or the id of the approval's intent.
create table bindings (
  subject text primary key,
  seq integer not null,
  hash text not null,
  mac text not null
) strict, without rowid
