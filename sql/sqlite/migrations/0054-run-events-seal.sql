-- Shows that a process with the record's key has written the row; not hashed, because it is made of the hash.
alter table run_events add column seal text
