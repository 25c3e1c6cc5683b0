select * from cron_jobs where seq < :before_seq and (:name is null or name = :name) order by seq desc limit :limit
