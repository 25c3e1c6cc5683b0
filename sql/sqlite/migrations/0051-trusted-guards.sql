-- A guard that was approved is missed when its file no longer has it.
alter table trusted_hooks add column is_guard integer not null default 0
