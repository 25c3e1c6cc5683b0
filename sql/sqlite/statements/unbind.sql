delete from bindings where subject = ?
