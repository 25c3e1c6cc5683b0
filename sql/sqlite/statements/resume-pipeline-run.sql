update pipeline_runs set status = 'running', owner = ?, actor = ?, intent_id = ?, ended_at = null, reason = null
where run_id = ? and status in ('failed', 'interrupted', 'cancelled') and not exists (
  select 1 from pipeline_runs as other
  where other.file = pipeline_runs.file and other.pipeline = pipeline_runs.pipeline and other.status = 'running'
)
