create index pipeline_steps_by_digest on pipeline_steps (digest, step) where status = 'completed'
