select name, version, digest, source, guarded_events, is_enabled, time, actor from plugins where name = ?
