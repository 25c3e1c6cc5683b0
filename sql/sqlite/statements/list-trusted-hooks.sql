select file, hook_id, name, digest, definition, files, time, actor from trusted_hooks order by file, hook_id
