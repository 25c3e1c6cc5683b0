-- Newest first. Each filter is off when its parameter is null.
select * from run_events
where seq < :before_seq
  and (:event is null or event = :event)
  and (:kind is null or kind = :kind)
  and (:session is null or session = :session)
  and (:verdict is null or verdict = :verdict)
  and (:since is null or time >= :since)
  and (:hook_id is null or seq in (select seq from hook_runs where hook_id = :hook_id))
order by seq desc
limit :limit
