select name, role, token_hash, created_at, created_by, revoked_at from tokens where name = ?
