create trigger run_events_fixed before update on run_events begin
  select raise(abort, 'run events never change');
end
