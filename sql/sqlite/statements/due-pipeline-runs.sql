select * from pipeline_runs
where status <> 'running' and ended_at < :ended_before
  and (:ids is null or run_id in (select value from json_each(:ids)))
  and not exists (select 1 from model_versions where model_versions.run_id = pipeline_runs.run_id)
  and not exists (select 1 from pipeline_steps where made_by = pipeline_runs.run_id)
  and not exists (select 1 from baselines where source = pipeline_runs.run_id)
order by ended_at, seq limit :limit
