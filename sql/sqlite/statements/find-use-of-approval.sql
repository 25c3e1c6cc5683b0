select seq from run_events where ref = ? and event = 'approval.used' limit 1
