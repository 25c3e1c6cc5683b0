-- Newest first: what the record has about one thing.
select * from run_events where ref = ? order by seq desc
