select * from pipeline_runs
where seq < :before_seq and (:pipeline is null or pipeline = :pipeline)
order by seq desc limit :limit
