insert into hook_switches (hook_id, is_enabled, time, actor) values (?, ?, ?, ?)
on conflict (hook_id) do update set is_enabled = excluded.is_enabled, time = excluded.time, actor = excluded.actor
