select * from approvals where status = 'pending' and expires_at <= :now order by seq limit 100
