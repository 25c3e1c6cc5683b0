select name, is_on, time, actor from flags where name = ?
