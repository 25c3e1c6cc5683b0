select * from pipeline_runs where cause = ? order by seq desc limit 1
