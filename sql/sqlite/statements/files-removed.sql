delete from forgotten where intent_id = ?
