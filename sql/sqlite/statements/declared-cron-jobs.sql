select * from cron_jobs where declared_in is not null order by name
