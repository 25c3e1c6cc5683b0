select * from approvals where id = ?
