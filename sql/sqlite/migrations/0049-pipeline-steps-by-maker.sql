create index pipeline_steps_by_maker on pipeline_steps (made_by) where made_by is not null
