select before, after from payloads where seq = ?
