select * from approvals where digest = ? order by seq desc limit 1
