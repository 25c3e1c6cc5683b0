select * from batch_runs
where seq < :before_seq and (:state is null or state = :state)
order by seq desc limit :limit
