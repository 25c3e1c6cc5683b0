update tokens set revoked_at = ? where name = ? and revoked_at is null
