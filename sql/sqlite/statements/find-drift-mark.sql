select kind, run_id, check_id, checked_at, is_drift, message from drift_marks where kind = ? and run_id = ?
