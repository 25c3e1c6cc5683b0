insert into plugins (name, version, digest, source, guarded_events, is_enabled, time, actor)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (name) do update set
  version = excluded.version, digest = excluded.digest, source = excluded.source,
  guarded_events = excluded.guarded_events, is_enabled = excluded.is_enabled,
  time = excluded.time, actor = excluded.actor
