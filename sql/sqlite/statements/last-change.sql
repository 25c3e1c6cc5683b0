-- The last time a change of this kind was made for an agent.
select * from run_events where kind = 'change' and event = ? and agent = ? order by seq desc limit 1
