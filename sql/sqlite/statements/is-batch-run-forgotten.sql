select 1 from forgotten where kind = 'batch' and id = ?
