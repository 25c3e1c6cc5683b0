insert into bindings (subject, seq, hash, mac) values (?, ?, ?, ?)
on conflict (subject) do update set seq = excluded.seq, hash = excluded.hash, mac = excluded.mac
