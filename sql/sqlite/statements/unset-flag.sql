delete from flags where name = ?
