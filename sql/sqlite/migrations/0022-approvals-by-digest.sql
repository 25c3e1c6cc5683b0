create index approvals_by_digest on approvals (digest, seq)
