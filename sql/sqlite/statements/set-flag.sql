insert into flags (name, is_on, time, actor) values (?, ?, ?, ?)
on conflict (name) do update set is_on = excluded.is_on, time = excluded.time, actor = excluded.actor
