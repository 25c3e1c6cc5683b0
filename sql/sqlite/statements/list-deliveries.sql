-- Newest first. Each filter is off when its parameter is null.
select * from deliveries
where seq < :before_seq
  and (:state is null or state = :state)
  and (:hook_id is null or hook_id = :hook_id)
order by seq desc
limit :limit
