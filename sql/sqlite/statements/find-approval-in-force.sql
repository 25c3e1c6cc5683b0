select * from approvals
where digest = :digest and status in ('pending', 'approved', 'denied') and expires_at > :now
order by seq desc limit 1
