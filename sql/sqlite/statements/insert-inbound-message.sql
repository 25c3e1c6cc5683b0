insert into inbound_messages (source, id, received_at_ms) values (?, ?, ?)
on conflict (source, id) do nothing
