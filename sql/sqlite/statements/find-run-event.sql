select * from run_events where id = ?
