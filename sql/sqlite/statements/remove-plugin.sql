delete from plugins where name = ?
