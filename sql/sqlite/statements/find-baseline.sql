select name, source, rows, features, data_digest, summary_digest, set_at, set_by from baselines where name = ?
