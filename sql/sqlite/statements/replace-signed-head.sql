-- After a person has accepted the record as it is, whatever was signed before.
insert or replace into signed_head (one, seq, hash, time, key_id, signature) values (1, ?, ?, ?, ?, ?)
