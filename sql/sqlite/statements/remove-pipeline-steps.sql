delete from pipeline_steps where run_id = ?
