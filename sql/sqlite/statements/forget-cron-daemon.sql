delete from cron_daemons where daemon_id = ?
