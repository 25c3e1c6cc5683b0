insert into cron_daemons (daemon_id, place, pid, born, beats) values (?, ?, ?, ?, ?)
on conflict (daemon_id) do update set beats = excluded.beats
