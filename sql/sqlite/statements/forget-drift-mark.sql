delete from drift_marks where kind = ? and run_id = ?
