select signature from approvals
where signature is not null and json_valid(signature) and signature ->> '$.key_id' = ?
order by decided_at desc limit 1
