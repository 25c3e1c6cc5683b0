-- Oldest first, for followers and for whoever reads the whole record.
select * from run_events where seq > ? order by seq limit ?
