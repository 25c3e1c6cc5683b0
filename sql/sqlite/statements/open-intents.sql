-- An effect that was announced and never reported: a crash came between.
select * from run_events i
where kind = 'intent' and not exists (select 1 from run_events o where o.ref = i.id and o.kind = 'outcome')
order by seq desc limit ?
