-- Once for all runs: to read the lineage of every version for each of them took seconds.
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
order by ended_at, seq limit :limit
