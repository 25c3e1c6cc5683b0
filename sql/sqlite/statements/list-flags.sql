select name, is_on, time, actor from flags order by name
