select * from approvals
where seq < :before_seq and (:status is null or status = :status)
order by seq desc limit :limit
