update deliveries
set state = ?, attempts = ?, retries = ?, last_status = ?, last_error = ?, ended_at_ms = ?
where seq = ? and state = 'pending'
