select distinct check_id from drift_marks
