-- Until when, whose, and a JSON array of their names. One that somebody else has by now stays theirs.
update delivery_targets set lease_until_ms = ? where owner = ? and target in (select value from json_each(?))
