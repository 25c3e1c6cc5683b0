select * from deliveries where target = ? and state = 'pending' order by seq limit ?
