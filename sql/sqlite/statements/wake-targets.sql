-- When, and a JSON array of their names. One that waits for something goes on waiting: what is new comes after it, and
-- nothing is written.
insert into delivery_targets (target, failures, next_at_ms, lease_until_ms)
select value, 0, ?, 0 from json_each(?) where true
on conflict (target) do update set next_at_ms = excluded.next_at_ms where next_at_ms is null
