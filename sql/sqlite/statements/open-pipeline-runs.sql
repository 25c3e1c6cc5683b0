select * from pipeline_runs where status = 'running' order by seq
