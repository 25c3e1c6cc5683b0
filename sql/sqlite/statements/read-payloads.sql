select seq, before, after from payloads where seq > ? order by seq limit ?
