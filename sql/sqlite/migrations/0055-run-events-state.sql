-- The digest of what was granted with the row, `over` when it was taken back; covered by the seal.
alter table run_events add column state text
