select * from pipeline_runs
where seq < :before_seq and (:pipeline is null or pipeline = :pipeline) and (:file is null or file = :file)
order by seq desc limit :limit
