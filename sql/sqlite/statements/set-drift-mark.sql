insert or replace into drift_marks (kind, run_id, check_id, checked_at, is_drift, message) values (?, ?, ?, ?, ?, ?)
