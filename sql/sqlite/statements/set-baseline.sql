insert into baselines (name, source, rows, features, data_digest, summary_digest, set_at, set_by) values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (name) do update set source = excluded.source, rows = excluded.rows, features = excluded.features,
  data_digest = excluded.data_digest, summary_digest = excluded.summary_digest, set_at = excluded.set_at, set_by = excluded.set_by
