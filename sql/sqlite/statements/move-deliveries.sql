-- Where to, from where, and whose. They keep their place in the order of all deliveries.
update deliveries set target = ? where target = ? and state = 'pending' and hook_id = ? and cwd is ?
