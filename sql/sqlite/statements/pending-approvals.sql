select * from approvals where status = 'pending' order by expires_at, seq
