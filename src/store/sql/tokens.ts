export const tokenStatements = {
  list: `select name, role, token_hash, created_at, created_by, revoked_at from tokens order by name`,
  add: `
    insert into tokens (name, role, token_hash, created_at, created_by)
    values (:name, :role, :token_hash, :created_at, :created_by)
    on conflict (name) do nothing`,
  revoke: `update tokens set revoked_at = :time where name = :name and revoked_at is null`,
} as const;
