select bindings.seq, bindings.hash, bindings.mac,
  exists (select 1 from run_events where run_events.seq = bindings.seq and run_events.hash = bindings.hash) as is_recorded,
  (select max(run_events.seq) from run_events
    where run_events.ref = bindings.subject and run_events.seq > bindings.seq
      and run_events.kind in ('outcome', 'change')) as later_seq
from bindings where subject = ?
