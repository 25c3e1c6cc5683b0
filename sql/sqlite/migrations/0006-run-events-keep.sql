-- Against mistakes, not attackers: who can write the file can drop the trigger, and then the chain tells.
create trigger run_events_keep before delete on run_events begin
  select raise(abort, 'run events are never deleted');
end
