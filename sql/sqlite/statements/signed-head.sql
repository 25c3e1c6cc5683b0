select seq, hash, time, key_id, signature from signed_head
