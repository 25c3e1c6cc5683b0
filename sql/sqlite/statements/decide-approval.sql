update approvals set status = ?, decided_at = ?, decided_by = ?, comment = ?, expires_at = ?, signature = ?
where id = ? and status = 'pending'
