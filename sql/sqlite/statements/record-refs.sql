-- Everything of one kind that something was recorded about: `token:`, and what sorts before `token;`.
select distinct ref from run_events where ref >= ? and ref < ? order by ref
