select * from batch_runs where state in ('running', 'waiting_approval') order by seq
