insert into signed_head (one, seq, hash, time, key_id, signature) values (1, ?, ?, ?, ?, ?)
on conflict (one) do update set seq = excluded.seq, hash = excluded.hash, time = excluded.time,
  key_id = excluded.key_id, signature = excluded.signature
where excluded.seq >= signed_head.seq
