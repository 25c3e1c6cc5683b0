// What only SQLite takes in these words: lists come as JSON arrays, and JSON is read by SQLite's own functions.

export const sqliteRetention = {
  /** Once for all runs: to read the lineage of every version for each of them took seconds. */
  dueBatchRuns: `
    with kept (source) as materialized (
      select source from baselines
      union select json_extract(lineage, '$.data.path') from model_versions
    )
    select * from batch_runs
    where state not in ('running', 'waiting_approval') and ended_at < :ended_before
      and (:ids is null or run_id in (select value from json_each(:ids)))
      and not exists (
        select 1 from kept where source = run_id or instr(source, json_extract(spec, '$.output') || '/') = 1
      )
    order by ended_at, seq limit :limit`,
  duePipelineRuns: `
    select * from pipeline_runs
    where status <> 'running' and ended_at < :ended_before
      and (:ids is null or run_id in (select value from json_each(:ids)))
      and not exists (select 1 from model_versions where model_versions.run_id = pipeline_runs.run_id)
      and not exists (select 1 from pipeline_steps where made_by = pipeline_runs.run_id)
      and not exists (select 1 from baselines where source = pipeline_runs.run_id)
    order by ended_at, seq limit :limit`,
} as const;
