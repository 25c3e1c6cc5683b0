select file, hook_id, name, digest, definition, files, time, actor from trusted_hooks where file = ? order by hook_id
