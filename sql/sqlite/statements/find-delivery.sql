select * from deliveries where id = ?
