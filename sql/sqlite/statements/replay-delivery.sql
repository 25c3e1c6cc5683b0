-- As if it were new: its age counts from now on. What it is called stays.
update deliveries
set state = 'pending', attempts = 0, retries = 0, last_status = null, last_error = null, ended_at_ms = null, created_at_ms = ?
where id = ? and state <> 'pending'
returning target
