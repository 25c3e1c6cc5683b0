update approvals set status = 'used', used_at = ?
where id = ? and status = 'approved' and expires_at > ?
