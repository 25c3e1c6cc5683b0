-- A hook's second part in one run event (registered for it under two names) changes nothing of the first.
insert into hook_runs (hook_id, seq, status, verdict, ms, reason) values (?, ?, ?, ?, ?, ?) on conflict do nothing
