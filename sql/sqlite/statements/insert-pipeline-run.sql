-- Nothing when another run of the pipeline is under way: the index of running ones says so.
insert into pipeline_runs (run_id, pipeline, file, folder, model, status, trigger, cause, actor, is_forced, owner, intent_id,
  data, version, started_at, ended_at, reason)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict do nothing
