select * from approvals where task = ? order by seq
