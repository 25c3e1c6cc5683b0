update plugins set is_enabled = ? where name = ?
