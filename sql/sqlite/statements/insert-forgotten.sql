insert into forgotten (kind, id, input, intent_id) values (?, ?, ?, ?) on conflict (kind, id) do nothing
