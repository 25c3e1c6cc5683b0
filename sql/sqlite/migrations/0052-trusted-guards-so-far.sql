-- What was approved before says in its definition whether it is a guard.
update trusted_hooks set is_guard = 1 where definition like '%, on_failure: deny, %'
