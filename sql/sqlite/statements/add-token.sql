insert into tokens (name, role, token_hash, created_at, created_by) values (?, ?, ?, ?, ?) on conflict (name) do nothing
