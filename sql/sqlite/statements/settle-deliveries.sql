-- All that came to the same; their numbers as a JSON array.
update deliveries
set state = ?, attempts = ?, retries = ?, last_status = ?, last_error = ?, ended_at_ms = ?
where seq in (select value from json_each(?)) and state = 'pending'
