select * from pipeline_steps where run_id = ? order by seq
