insert into payloads (seq, before, after) values (?, ?, ?)
