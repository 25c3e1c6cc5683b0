select file, hook_id, name, is_guard, digest, definition, files, time, actor from trusted_hooks order by file, hook_id
