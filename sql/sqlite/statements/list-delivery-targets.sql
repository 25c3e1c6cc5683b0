select target, failures, next_at_ms, last_error,
  (select hook from deliveries as d where d.target = t.target and state = 'pending' order by seq limit 1) as hook
from delivery_targets as t order by target
