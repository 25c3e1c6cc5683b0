select h.seq, e.id, e.time, e.event, e.session, h.status, h.verdict, h.ms, h.reason
from hook_runs h join run_events e on e.seq = h.seq
where h.hook_id = :hook_id and h.seq < :before_seq
order by h.seq desc
limit :limit
