create unique index approvals_pending on approvals (digest) where status = 'pending'
