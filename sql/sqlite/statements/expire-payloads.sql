delete from payloads where seq in (select seq from run_events where time < ?)
