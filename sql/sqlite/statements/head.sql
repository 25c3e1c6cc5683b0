select seq, hash from run_events order by seq desc limit 1
