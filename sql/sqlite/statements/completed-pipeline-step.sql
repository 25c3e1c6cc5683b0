select pipeline_steps.* from pipeline_steps join pipeline_runs using (run_id)
where pipeline_steps.digest = :digest and pipeline_steps.step = :step and pipeline_steps.status = 'completed'
  and pipeline_runs.file = :file and pipeline_runs.pipeline = :pipeline
order by pipeline_steps.seq desc limit 1
