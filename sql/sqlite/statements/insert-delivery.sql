insert into deliveries (id, event, event_id, hook_id, hook, target, cwd, body, created_at_ms, state, attempts, retries)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, 0)
