create table ignored_projects (
  file text primary key,
  time text not null,
  actor text not null
) strict, without rowid
