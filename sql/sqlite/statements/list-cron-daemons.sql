select * from cron_daemons
