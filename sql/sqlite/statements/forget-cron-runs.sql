delete from cron_runs
where seq in (select seq from cron_runs where ended_at is not null and ended_at < ? order by ended_at limit ?)
returning *
