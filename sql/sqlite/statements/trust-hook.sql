insert into trusted_hooks (file, hook_id, name, digest, definition, files, time, actor, is_guard)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
