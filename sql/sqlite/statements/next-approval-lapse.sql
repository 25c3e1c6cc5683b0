select min(expires_at) as expires_at from approvals where status = 'pending'
