select * from cron_runs order by seq desc limit 1
